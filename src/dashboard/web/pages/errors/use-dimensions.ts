import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { DEFAULT, type Dimension, readDimensions } from "./dimensions.ts";

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
