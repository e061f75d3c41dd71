import { useLocalStorage } from "@mantine/hooks";
import { FIRST_CHARTS } from "./chart-plans.ts";

/** Returns the names of the charts that are shown, as this browser remembers them, and what changes them. */
export function useChosenCharts() {
  return useLocalStorage<readonly string[]>({
    key: "attune-charts",
    defaultValue: FIRST_CHARTS,
    getInitialValueInEffect: false,
    deserialize: parseChosen,
  });
}

/** Reads what a browser has stored; anything but names of charts is the first four. */
export function parseChosen(text: string | undefined): readonly string[] {
  try {
    const names: unknown = JSON.parse(text ?? "");
    const isList = Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === "string");
    return isList ? names : FIRST_CHARTS;
  } catch {
    return FIRST_CHARTS;
  }
}

/** Returns the charts of those there are that were chosen; the first four where none of them was. */
export function shownCharts(names: readonly string[], chosen: readonly string[]): string[] {
  const shown = names.filter((name) => chosen.includes(name)).slice(0, FIRST_CHARTS.length);
  return shown.length > 0 ? shown : [...FIRST_CHARTS];
}
