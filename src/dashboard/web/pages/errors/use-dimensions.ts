import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

/** The dimensions that tell failed calls apart, in the order of the columns. */
export const DIMENSIONS = [
  { value: "reason", label: "Reason" },
  { value: "upstream", label: "Upstream" },
  { value: "model", label: "Model" },
  { value: "key", label: "Key" },
  { value: "user", label: "End user" },
] as const;

/** One of them. */
export type Dimension = (typeof DIMENSIONS)[number]["value"];

/** End users are left out at first: with them only the latest calls are grouped. */
const DEFAULT: readonly Dimension[] = ["reason", "upstream", "model", "key"];

/** Reads the dimensions of an address; what it cannot read, it takes as the default. */
export function readDimensions(text: string | null): readonly Dimension[] {
  const asked = text?.split(",") ?? [];
  const known = DIMENSIONS.flatMap(({ value }) => (asked.includes(value) ? [value] : []));
  return known.length === 0 ? DEFAULT : known;
}

/** Returns the dimensions that the address names, and what adds one there or takes it away. */
export function useDimensions(): readonly [readonly Dimension[], (dimension: Dimension) => void] {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.get("by");
  const dimensions = useMemo(() => readDimensions(text), [text]);
  const toggle = useCallback(
    (dimension: Dimension) => {
      // What is drawn may be behind a click of a moment ago; the address is not.
      const changed = new URLSearchParams(window.location.search);
      const now = readDimensions(changed.get("by"));
      const isOn = now.includes(dimension);
      if (isOn && now.length === 1) return;
      const by = readDimensions((isOn ? now.filter((own) => own !== dimension) : [...now, dimension]).join(",")).join();
      if (by === DEFAULT.join()) changed.delete("by");
      else changed.set("by", by);
      setParameters(changed);
    },
    [setParameters],
  );
  return [dimensions, toggle];
}
