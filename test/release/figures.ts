import { availableParallelism, cpus, loadavg } from "node:os";

/** A size or a time, and what it may be at most. */
interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: "MB" | "s" | "ms";
  /** Undefined where nothing is asked. */
  readonly limit?: number;
  /** Load of the machine when it was measured. */
  readonly load: number;
}

const figures: Figure[] = [];

/** Returns true where times tell of this project, and not of what else the machine does. */
export function isQuiet(): boolean {
  return currentLoad() < availableParallelism();
}

/** Adds a figure, which is rounded. */
export function addFigure(what: string, unit: Figure["unit"], measured: { value: number; limit?: number }): void {
  const value = unit === "ms" ? Math.round(measured.value) : round(measured.value);
  figures.push({ what, unit, ...measured, value, load: currentLoad() });
}

/** Prints the figures as a table of Markdown, and as JSON. */
export function printFigures(): void {
  const machine = { node: process.version, processors: availableParallelism(), model: cpus()[0]?.model.trim() };
  const rows = figures.map(
    ({ what, value, unit, limit, load }) =>
      `| ${what} | ${value} ${unit} | ${limit === undefined ? "" : `${limit} ${unit}`} | ${load} |`,
  );
  console.log(["| figure | measured | at most | load |", "| --- | --- | --- | --- |", ...rows].join("\n"));
  console.log(JSON.stringify({ ...machine, figures }));
}

function currentLoad(): number {
  return round(loadavg()[0] ?? 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
