import { readFileSync } from "node:fs";

/** Returns the processes that a process has started and that run, of Linux. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}
