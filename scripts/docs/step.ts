import { performance } from "node:perf_hooks";

/** A part of the check. */
export interface Step {
  readonly name: string;
  /** Says how far it is with `report`; returns how many things it looked at, and what is wrong. */
  run(report: (line: string) => void): Promise<Outcome>;
}

export interface Outcome {
  /** The result in words, such as "61 blocks, 12 of them not run". */
  readonly looked: string;
  readonly findings: readonly string[];
}

interface Row {
  readonly name: string;
  readonly looked: string;
  readonly findings: number;
  readonly seconds: number;
}

/** Runs the steps one after another, prints what they find and a table at the end; returns the number of findings. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const rows: Row[] = [];
  for (const [index, { name, run }] of steps.entries()) {
    console.log(`\n${index + 1}/${steps.length} ${name}`);
    const start = performance.now();
    const { looked, findings } = await run((line) => console.log(`  ${line}`));
    for (const finding of findings) console.error(`  FINDING ${finding}`);
    rows.push({ name, looked, findings: findings.length, seconds: (performance.now() - start) / 1000 });
  }
  const total = rows.reduce((sum, { findings }) => sum + findings, 0);
  const seconds = rows.reduce((sum, row) => sum + row.seconds, 0);
  console.log(`\n${[...rows, { name: "all", looked: "", findings: total, seconds }].map(formatRow).join("\n")}`);
  return total;
}

function formatRow({ name, looked, findings, seconds }: Row): string {
  const found = findings === 0 ? "no finding" : `${findings} findings`;
  return `${name.padEnd(10)} ${looked.padEnd(44)} ${found.padEnd(12)} ${seconds.toFixed(0).padStart(5)} s`;
}
