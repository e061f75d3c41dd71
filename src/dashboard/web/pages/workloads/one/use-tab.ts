import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** The parts of the page, the first of them where the address names none. */
export const TABS = [
  { value: "summary", label: "Summary" },
  { value: "evidence", label: "Evidence" },
  { value: "history", label: "History" },
  { value: "settings", label: "Settings" },
] as const;

/** Returns the part that the address names, and what puts another one there, so that it can be sent on. */
export function useTab(): readonly [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const found = TABS.find(({ value }) => value === parameters.get("tab")) ?? TABS[0];
  const set = useCallback(
    (value: string) =>
      setParameters(
        (old) => {
          const changed = new URLSearchParams(old);
          changed.set("tab", value);
          return changed;
        },
        { replace: true },
      ),
    [setParameters],
  );
  return [found.value, set];
}
