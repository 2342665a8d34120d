import { useEffect, useRef, useState } from "react";
import { ToolCancelled, type CallToolResult, type ToolOutput, type ToolView } from "mcpapps:bridge";

export type Input = { colour?: string; scheme?: ToolOutput<"show_palette">["scheme"] };
export type State = "idle" | "waiting" | "ready" | "cancelled" | "failed";

/** What the View knows of the call that it shows, and a way to make it again. */
export interface Call {
  state: State;
  note: string;
  shown: ToolOutput<"show_palette"> | undefined;
  again: (input: Input) => void;
}

/** Follow the call of the model, then those of the person. */
export function useCall(app: ToolView<"show_palette">): Call {
  const [state, setState] = useState<State>("idle");
  const [note, setNote] = useState("Waiting for a colour");
  const [shown, setShown] = useState<ToolOutput<"show_palette">>();
  const calls = useRef(0);

  const show = (next: State, text: string) => {
    setState(next);
    setNote(text);
  };
  const fail = (error: unknown) => show("failed", error instanceof Error ? error.message : String(error));
  const take = (result: CallToolResult<ToolOutput<"show_palette">>) => {
    const text = result.content.find((block) => block.type === "text")?.text;
    if (result.isError) return fail(new Error(String(text ?? "The tool failed")));
    // A host may pass the text only.
    if (result.structuredContent) setShown(result.structuredContent);
    show("ready", result.structuredContent ? "" : String(text ?? ""));
  };

  useEffect(() => {
    // Neither can be late: the bridge keeps what the host sent until it is read.
    app.toolInput.then(() => show("waiting", "Mixing colours …"), fail);
    app.toolResult.then(take, (reason: unknown) => {
      if (reason instanceof ToolCancelled) show("cancelled", "Cancelled before there was a result");
      else fail(reason);
    });
  }, [app]);

  const again = async (input: Input) => {
    const call = ++calls.current;
    show("waiting", "");
    try {
      const result = await app.callTool("show_palette", input);
      if (call === calls.current) take(result);
    } catch (error) {
      if (call === calls.current) fail(error);
    }
  };
  return { state, note, shown, again };
}
