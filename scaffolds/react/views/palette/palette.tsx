import type { ToolView } from "mcpapps:bridge";
import { useCall } from "./call";

export function Palette({ app }: { app: ToolView<"show_palette"> }) {
  const { state, note, shown, again } = useCall(app);
  return (
    <section data-state={state} aria-busy={state === "waiting"}>
      <header>
        <h1>Palette</h1>
        {shown && (
          <label>
            Colour{" "}
            <input
              type="color"
              value={shown.colour}
              onChange={(event) => again({ colour: event.target.value, scheme: shown.scheme })}
            />
          </label>
        )}
      </header>
      <div className="swatches">
        {shown?.swatches.map(({ colour, text, contrast }) => (
          <div key={colour} className="swatch" style={{ background: colour, color: text }}>
            <strong>{colour}</strong>
            <small>contrast {contrast.toFixed(1)}</small>
          </div>
        ))}
      </div>
      <div className="schemes" role="group" aria-label="Scheme">
        {shown?.schemes.map((scheme) => (
          <button
            key={scheme}
            type="button"
            aria-pressed={scheme === shown.scheme}
            onClick={() => again({ colour: shown.colour, scheme })}
          >
            {scheme}
          </button>
        ))}
      </div>
      <p className="note" role="status">
        {note}
      </p>
    </section>
  );
}
