import { connect, type View } from "mcpapps:bridge";
import { money, sorted, Status, total, type Direction, type Key, type Order } from "./model";

const COLUMNS: ReadonlyArray<[Key, string]> = [
  ["id", "No."],
  ["customer", "Customer"],
  ["status", "Status"],
  ["amount", "Amount"],
];

class Table {
  private key: Key = "id";
  private direction: Direction = "ascending";
  #orders: Order[] = [];

  constructor(private readonly root: HTMLElement) {}

  set orders(orders: Order[]) {
    this.#orders = orders;
    this.draw();
  }

  private sortBy(key: Key): void {
    const same = this.key === key;
    this.direction = same && this.direction === "ascending" ? "descending" : "ascending";
    this.key = key;
    this.draw();
  }

  private draw(): void {
    const title = element("h1", "Orders");
    if (this.#orders.length === 0) {
      const empty = element("p", "There are no orders.");
      empty.className = "empty";
      this.root.replaceChildren(title, empty);
      return;
    }
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const [key, label] of COLUMNS) {
      const cell = element("th", label);
      cell.onclick = () => this.sortBy(key);
      if (key === this.key) cell.ariaSort = this.direction;
      head.append(cell);
    }
    const body = table.createTBody();
    for (const order of sorted(this.#orders, this.key, this.direction)) {
      const row = body.insertRow();
      for (const [key] of COLUMNS) {
        row.insertCell().textContent = key === "amount" ? money(order.amount) : String(order[key]);
      }
    }
    const sum = element("p", `Open: ${money(total(this.#orders, Status.Open))}`);
    sum.className = "total";
    this.root.replaceChildren(title, table, sum);
  }
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

const table = new Table(document.getElementById("app")!);
table.orders = [];

const view: View = connect({ name: "orders", version: "1.0.0" });
view.applyHostStyles();
view.toolResult.then((result) => {
  table.orders = (result.structuredContent as { orders?: Order[] } | undefined)?.orders ?? [];
});
