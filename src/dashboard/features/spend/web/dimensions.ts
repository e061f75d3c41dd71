import { useSearchParams } from "react-router";

/** The facts that calls are told apart by, with the filter of the history that finds them. */
export const DIMENSIONS = [
  { value: "key", label: "By key", filter: "key" },
  { value: "end_user", label: "By end user", filter: "user" },
  { value: "session", label: "By session", filter: "session" },
  { value: "tag", label: "By tag", filter: "label" },
  { value: "model", label: "By requested model", filter: "model" },
  { value: "workload", label: "By workload", filter: "workload" },
] as const;

/** One of them. */
export type Dimension = (typeof DIMENSIONS)[number];

/** Returns what the address ranks by, and what puts another one there. */
export function useDimension(): readonly [Dimension, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const found = DIMENSIONS.find(({ value }) => value === parameters.get("by")) ?? DIMENSIONS[0];
  const set = (value: string) =>
    setParameters((old) => {
      const changed = new URLSearchParams(old);
      changed.set("by", value);
      return changed;
    });
  return [found, set];
}
