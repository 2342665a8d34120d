import { createRoot } from "react-dom/client";
import { connect } from "mcpapps:bridge";
import { Palette } from "./palette";
import "./style.css";

const app = connect<"show_palette">({ name: "palette", version: "0.1.0" });
app.applyHostStyles();

createRoot(document.getElementById("root")!).render(<Palette app={app} />);
