import { useSearchParams } from "react-router";

/** The groupings of charts. */
export const GROUP_NAMES = [
  { value: "model", label: "By model" },
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
  const group = GROUP_NAMES.find(({ value }) => value === parameters.get("by"))?.value ?? "model";
  const set = (name: string) =>
    setParameters((old) => {
      const changed = new URLSearchParams(old);
      if (name === "model") changed.delete("by");
      else changed.set("by", name);
      return changed;
    });
  return [group, set];
}
