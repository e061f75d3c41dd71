import { TIME_RANGES } from "../parts/time-range.ts";
import { RANGES } from "./range.ts";

/**
 * Returns the search of a link to another page that keeps the time range of this address; "" without one. The history
 * has it among its filters, where a span is called since.
 */
export function carriedRange(search: string, path: string): string {
  const here = new URLSearchParams(search);
  const span = here.get("range") ?? here.get("since");
  const [from, to] = [here.get("from"), here.get("to")];
  const carried = new URLSearchParams();
  if (from !== null && to !== null && (span === null || span === "custom")) {
    if (path !== "history") carried.set("range", "custom");
    carried.set("from", from);
    carried.set("to", to);
  } else if (path === "history") {
    if (TIME_RANGES.some(({ value }) => value === span)) carried.set("since", span ?? "");
  } else if (span !== "custom" && RANGES.some(({ value }) => value === span)) carried.set("range", span ?? "");
  const text = carried.toString();
  return text === "" ? "" : `?${text}`;
}
