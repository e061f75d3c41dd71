import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

/** Spans that can be looked at, until now. */
export const TIME_RANGES = [
  { value: "1h", label: "Last hour", ms: 3_600_000 },
  { value: "6h", label: "Last 6 hours", ms: 6 * 3_600_000 },
  { value: "24h", label: "Last 24 hours", ms: 86_400_000 },
  { value: "7d", label: "Last 7 days", ms: 7 * 86_400_000 },
  { value: "30d", label: "Last 30 days", ms: 30 * 86_400_000 },
  { value: "90d", label: "Last 90 days", ms: 90 * 86_400_000 },
  { value: "1y", label: "Last year", ms: 365 * 86_400_000 },
] as const;

/** One of the spans. */
export type TimeRange = (typeof TIME_RANGES)[number];

const NAME = "range";
const DEFAULT = "24h";

/** Reads a span from the parameters of an address; a day where it names none. */
export function readTimeRange(parameters: URLSearchParams): TimeRange {
  const named = parameters.get(NAME) ?? DEFAULT;
  return TIME_RANGES.find(({ value }) => value === named) ?? TIME_RANGES[2];
}

/** Returns the span that the address names, and what puts another one there. It stays in the address, so it can be sent on. */
export function useTimeRange(): readonly [TimeRange, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const range = useMemo(() => readTimeRange(parameters), [parameters]);
  const set = useCallback(
    (value: string) =>
      setParameters((old) => {
        const changed = new URLSearchParams(old);
        if (value === DEFAULT) changed.delete(NAME);
        else changed.set(NAME, value);
        return changed;
      }),
    [setParameters],
  );
  return [range, set];
}
