import type { BuildOverlay } from "./build-overlay.js";
import type { CallForm } from "./call-form.js";
import type { HostBar } from "./host-bar.js";
import type { PartialInput } from "./partial-input.js";
import type { KeysHelp, StatusBar } from "./status-bar.js";
import type { SidePanel } from "./side-panel.js";
import type { ToolList } from "./tool-list.js";

declare global {
  interface HTMLElementTagNameMap {
    "build-overlay": BuildOverlay;
    "call-form": CallForm;
    "host-bar": HostBar;
    "keys-help": KeysHelp;
    "partial-input": PartialInput;
    "side-panel": SidePanel;
    "status-bar": StatusBar;
    "tool-list": ToolList;
  }
}
