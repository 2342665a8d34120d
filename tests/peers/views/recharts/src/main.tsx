import { createRoot } from "react-dom/client";
import { useEffect, useState } from "react";
import { Bar, BarChart, CartesianGrid, Legend, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import { connect } from "mcpapps:bridge";
import "./style.css";

interface Month {
  name: string;
  sales: number;
  cost: number;
}

const view = connect({ name: "sales", version: "1.0.0" });
const START: Month[] = [
  { name: "Jan", sales: 40, cost: 24 },
  { name: "Feb", sales: 30, cost: 13 },
  { name: "Mar", sales: 52, cost: 38 },
];

function Sales() {
  const [months, setMonths] = useState(START);
  useEffect(() => {
    view.toolResult.then((result) => {
      const found = (result.structuredContent as { months?: Month[] } | undefined)?.months;
      if (found) setMonths(found);
    });
  }, []);
  return (
    <main>
      <h1>Sales</h1>
      <LineChart width={480} height={220} data={months}>
        <CartesianGrid strokeDasharray="3 3" />
        <XAxis dataKey="name" />
        <YAxis />
        <Tooltip />
        <Legend />
        <Line dataKey="sales" stroke="#2f6fed" isAnimationActive={false} />
      </LineChart>
      <BarChart width={480} height={220} data={months}>
        <XAxis dataKey="name" />
        <YAxis />
        <Bar dataKey="cost" fill="#c2410c" isAnimationActive={false} />
      </BarChart>
    </main>
  );
}

createRoot(document.getElementById("root")!).render(<Sales />);
