import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Tasks } from "./tasks";
import "./style.css";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Tasks />
  </StrictMode>,
);
