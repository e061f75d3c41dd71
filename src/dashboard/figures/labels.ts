import type { FigureGroup } from "../../store/dashboard/figures/read-figures.ts";

/** Writes a group for people; keys are given by their names. */
export type Labeller = (group: FigureGroup, values: readonly string[]) => string;

/** Returns what names groups, given the names of keys by their public ids. */
export function createLabeller(keys: ReadonlyMap<string, string>): Labeller {
  const uses = Map.groupBy(keys.values(), (name) => name);
  const names = new Map(
    [...keys].map(([publicId, name]) => [publicId, uses.get(name)?.length === 1 ? name : `${name} (${publicId})`]),
  );
  return (group, [first = "", second = ""]) => {
    switch (group) {
      case "none":
        return "All calls";
      case "key":
        return names.get(first) ?? `Key ${first}`;
      case "workload":
        return first === "" ? "No workload" : first;
      case "deployment":
        return first === "" ? "Not served" : `${first} / ${second}`;
      case "model":
      case "servedModel":
        return first === "" ? "No model" : first;
    }
  };
}

/** Returns what a group is known by, in colours and addresses. */
export function groupKey(values: readonly string[]): string {
  return values.join(" / ");
}
