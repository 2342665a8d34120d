export enum Status {
  Open = "open",
  Paid = "paid",
  Late = "late",
}

export interface Order {
  readonly id: number;
  customer: string;
  status: Status;
  amount: number;
}

export type Key = keyof Order;
export type Direction = "ascending" | "descending";

const collator = new Intl.Collator("en", { numeric: true });

export function sorted(orders: readonly Order[], key: Key, direction: Direction): Order[] {
  const sign = direction === "ascending" ? 1 : -1;
  return [...orders].sort((left, right) => sign * collator.compare(String(left[key]), String(right[key])));
}

export function total(orders: readonly Order[], only?: Status): number {
  return orders
    .filter((order) => only === undefined || order.status === only)
    .reduce((sum, order) => sum + order.amount, 0);
}

export const money = (amount: number): string =>
  new Intl.NumberFormat("en", { style: "currency", currency: "EUR" }).format(amount);
