import { createRoot } from "react-dom/client";
import { useState } from "react";
import { App } from "@modelcontextprotocol/ext-apps";
import "./style.css";

const app = new App({ name: "clock", version: "1.0.0" });

function Clock() {
  const [text, setText] = useState("Waiting for the host");
  app.ontoolresult = (result) => {
    const [first] = result.content ?? [];
    if (first?.type === "text") setText(first.text);
  };
  return (
    <main>
      <h1>Clock</h1>
      <p>{text}</p>
      <button type="button" onClick={() => app.callServerTool({ name: "get-time", arguments: {} })}>
        Ask again
      </button>
    </main>
  );
}

createRoot(document.getElementById("root")!).render(<Clock />);
app.connect();
