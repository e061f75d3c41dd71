import { useSearchParams } from "react-router";

/** The groupings of charts. */
export const GROUP_NAMES = [
  { value: "servedModel", label: "By model" },
  { value: "model", label: "By requested model" },
  { value: "key", label: "By key" },
  { value: "workload", label: "By workload" },
  { value: "deployment", label: "By deployment" },
  { value: "none", label: "All together" },
] as const;

/** One of them. */
export type GroupName = (typeof GROUP_NAMES)[number]["value"];

/** Returns what the address groups by, and what puts another one there. */
export function useGroup(): readonly [GroupName, (name: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const group = GROUP_NAMES.find(({ value }) => value === parameters.get("by"))?.value ?? "servedModel";
  const set = (name: string) =>
    setParameters((old) => {
      const changed = new URLSearchParams(old);
      if (name === "servedModel") changed.delete("by");
      else changed.set("by", name);
      return changed;
    });
  return [group, set];
}
