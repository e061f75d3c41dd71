import { useSearchParams } from "react-router";

/** Returns the workload that the address names, and what puts another one there. */
export function useChosenWorkload(): readonly [string | undefined, (workload: string | undefined) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = (workload: string | undefined) =>
    setParameters((old) => {
      const changed = new URLSearchParams(old);
      if (workload === undefined) changed.delete("workload");
      else changed.set("workload", workload);
      return changed;
    });
  return [parameters.get("workload") ?? undefined, set];
}
