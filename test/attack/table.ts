import type { Outcome } from "./drive.ts";
import type { Findings } from "./findings.ts";
import { KINDS } from "./judge.ts";

/** Prints what each area took, and how often each kind of problem was found in it. */
export function printTable(outcomes: readonly Outcome[], findings: Findings, say: (line: string) => void): void {
  const head = ["area", "inputs", "seconds", "per s", "CPU ms", "stall ms", ...KINDS];
  const rows = outcomes.map(({ area, inputs, seconds, cpuMsPerInput, maxStallMs }) => [
    area,
    String(inputs),
    seconds.toFixed(1),
    (inputs / seconds).toFixed(0),
    cpuMsPerInput.toFixed(2),
    maxStallMs.toFixed(0),
    ...KINDS.map((kind) => String(findings.count(area, kind))),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  say("");
  for (const row of [head, ...rows]) say(row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  "));
}
