import { useEffect, useMemo, useState } from "react";
import { connect } from "mcpapps:bridge";
import styles from "./tasks.module.css";

interface Task {
  id: number;
  title: string;
  done: boolean;
}

const view = connect({ name: "tasks", version: "1.0.0" });

export function Tasks() {
  const [tasks, setTasks] = useState<Task[]>([{ id: 1, title: "Wait for the host", done: false }]);
  const [filter, setFilter] = useState("");
  useEffect(() => {
    view.toolResult.then((result) => {
      const found = (result.structuredContent as { tasks?: Task[] } | undefined)?.tasks;
      if (found) setTasks(found);
    });
  }, []);
  const shown = useMemo(() => tasks.filter((task) => task.title.includes(filter)), [tasks, filter]);
  return (
    <main>
      <h1>Tasks</h1>
      <input value={filter} onChange={(event) => setFilter(event.target.value)} placeholder="Filter" />
      <ul className={styles.list}>
        {shown.map((task) => (
          <li key={task.id} className={task.done ? styles.done : undefined}>
            <label>
              <input
                type="checkbox"
                checked={task.done}
                onChange={() =>
                  setTasks(tasks.map((each) => (each === task ? { ...each, done: !each.done } : each)))
                }
              />
              {task.title}
            </label>
          </li>
        ))}
      </ul>
      <p>{tasks.filter((task) => !task.done).length} open</p>
    </main>
  );
}
