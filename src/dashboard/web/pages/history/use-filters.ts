import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { FILTER_NAMES, type Filters, readFilters } from "./parse-filters.ts";

/**
 * The filters that the address has, and what changes some of them. They stay in the address, so they can be sent on.
 */
export function useFilters(): readonly [Filters, (changes: Partial<Filters>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.toString();
  const filters = useMemo(() => readFilters(new URLSearchParams(text)), [text]);
  const change = useCallback(
    (changes: Partial<Filters>) =>
      setParameters((old) => {
        const changed = new URLSearchParams(old);
        for (const name of FILTER_NAMES) {
          const value = changes[name];
          if (value === null) changed.delete(name);
          else if (value !== undefined) changed.set(name, value);
        }
        return changed;
      }),
    [setParameters],
  );
  return [filters, change];
}
