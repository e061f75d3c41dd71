import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { readParameter, toParameter } from "../parts/times.ts";

/** Spans until now that can be looked at, and a time that someone chooses. */
export const RANGES = [
  { value: "1h", label: "1 h", title: "the last hour" },
  { value: "24h", label: "24 h", title: "the last 24 hours" },
  { value: "7d", label: "7 d", title: "the last 7 days" },
  { value: "30d", label: "30 d", title: "the last 30 days" },
  { value: "90d", label: "90 d", title: "the last 90 days" },
  { value: "1y", label: "1 y", title: "the last year" },
  { value: "custom", label: "Custom", title: "the chosen time" },
] as const;

/** One of the spans. */
type RangeName = (typeof RANGES)[number]["value"];

/** A time that is looked at, as procedures take it; from and to, in UTC, go with custom. */
export interface Range {
  readonly range: RangeName;
  readonly from?: string;
  readonly to?: string;
}

const DAY_MS = 86_400_000;

/** Reads a time from the parameters of an address; what it cannot read, it takes as the default. */
export function readRange(parameters: URLSearchParams, otherwise: RangeName): Range {
  const found = RANGES.find(({ value }) => value === parameters.get("range"))?.value ?? otherwise;
  if (found !== "custom") return { range: found };
  const [from, to] = [readParameter(parameters.get("from")), readParameter(parameters.get("to"))];
  return from === undefined || to === undefined ? { range: otherwise } : { range: "custom", from, to };
}

/** Returns the week that ends with the running hour, to begin with where someone wants to choose. */
export function lastWeek(nowMs: number): Range {
  const toMs = Math.ceil(nowMs / 3_600_000) * 3_600_000;
  return { range: "custom", from: new Date(toMs - 7 * DAY_MS).toISOString(), to: new Date(toMs).toISOString() };
}

/** Returns the time that the address names, and what puts another one there, so that it can be sent on. */
export function useRange(otherwise: RangeName): readonly [Range, (range: Range) => void] {
  const [parameters, setParameters] = useSearchParams();
  const range = useMemo(() => readRange(parameters, otherwise), [parameters, otherwise]);
  const set = useCallback(
    (chosen: Range) =>
      setParameters((old) => {
        const changed = new URLSearchParams(old);
        for (const name of ["range", "from", "to"]) changed.delete(name);
        // Also the one that this page has by itself: other pages, to which it is carried, have others.
        changed.set("range", chosen.range);
        if (chosen.range === "custom" && chosen.from !== undefined && chosen.to !== undefined) {
          changed.set("from", toParameter(chosen.from));
          changed.set("to", toParameter(chosen.to));
        }
        return changed;
      }),
    [setParameters],
  );
  return [range, set];
}
