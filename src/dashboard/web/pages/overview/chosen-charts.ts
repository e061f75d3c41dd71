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
