import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import type { Course, Means } from "./course.ts";
import { JUDGE, MODELS } from "./scripted-models.ts";

interface ScreenOptions {
  /** Questions in all. */
  readonly calls: number;
  /** Address of the dashboard. */
  readonly dashboard: string;
}

/** Shows how the answers go. */
export interface Screen {
  draw(): void;
  /** Draws the end, and leaves it standing. */
  end(): void;
}

const [FRAME_MS, LINE_MS] = [200, 5000];
const COLUMNS = 48;
const BARS = "▁▂▃▄▅▆▇█";
const CLEAR_LINE = "\u001b[K";

/** Draws in place on a terminal; elsewhere writes a line every five seconds, and the whole picture at the end. */
export function createScreen(output: WriteStream, course: Course, { calls, dashboard }: ScreenOptions): Screen {
  let [drawnAt, height] = [Number.NEGATIVE_INFINITY, 0];
  const paint = (): void => {
    const lines = pictureOf(course, calls, dashboard);
    const up = height > 0 ? `\u001b[${height}A` : "";
    output.write(up + lines.map((line) => `${line}${output.isTTY ? CLEAR_LINE : ""}\n`).join(""));
    height = lines.length;
  };
  const tell = (): void => {
    const { right, usdPerThousand, latencyMs } = course.after;
    const means = `${percent(right)} right, ${usdPerThousand.toFixed(2)} USD per 1,000, ${latencyMs.toFixed(0)} ms`;
    output.write(`${course.calls} of ${calls} answers, ${course.thumbs} thumbs: ${means}\n`);
  };
  return {
    draw: () => {
      const now = performance.now();
      if (now - drawnAt < (output.isTTY ? FRAME_MS : LINE_MS)) return;
      drawnAt = now;
      if (output.isTTY) paint();
      else tell();
    },
    end: paint,
  };
}

/** A figure of the answers, as the picture has it. */
interface Figure {
  readonly name: string;
  readonly read: (means: Means) => number;
  readonly words: (value: number) => string;
  /** Value of a full bar; the largest of all if absent. */
  readonly most?: number;
}

const FIGURES: readonly Figure[] = [
  { name: "right answers", read: ({ right }) => right, words: percent, most: 1 },
  { name: "USD for 1,000", read: ({ usdPerThousand }) => usdPerThousand, words: (usd) => usd.toFixed(2) },
  { name: "milliseconds", read: ({ latencyMs }) => latencyMs, words: (ms) => ms.toFixed(0) },
];

function pictureOf(course: Course, calls: number, dashboard: string): string[] {
  const { thumbs, trials } = course;
  const skills = MODELS.map(({ name, skill }) => `${name} ${percent(skill)}`).join(", ");
  return [
    styleText("bold", "Customers of a small bookshop ask 'attune/standard', and some rate the answer."),
    `The models are scripted. Right answers: ${skills}.`,
    "",
    ...FIGURES.map((figure) => chartOf(figure, course, calls)),
    "",
    `  ${course.calls} of ${calls} answers, ${thumbs} rated (${percent(thumbs / Math.max(1, course.calls))})`,
    `  shadow trials: ${trials.grades} answers graded, ${percent(JUDGE.accuracy)} of them correctly; ` +
      `${trials.usd.toFixed(2)} USD, ${percent(trials.ofBill)} of the bill`,
    `  answering now: ${describeShares(course)}`,
    `  ${dashboard}`,
  ];
}

/** Draws the course of a figure, with its first and its last value. */
function chartOf({ name, read, words, most }: Figure, course: Course, calls: number): string {
  const values = course.stretches(COLUMNS, calls).map(read);
  const bars = sparkline(values, most ?? Math.max(...values));
  const change = `${words(read(course.before))} to ${styleText("bold", words(read(course.after)))}`;
  return `  ${name.padEnd(16)}${bars.padEnd(COLUMNS)}  ${change}`;
}

/** Draws values as bars from 0 to the most. */
function sparkline(values: readonly number[], most: number): string {
  const levelOf = (value: number): number => Math.min(BARS.length - 1, Math.floor((value / most) * BARS.length));
  return values.map((value) => BARS[most > 0 ? levelOf(value) : 0]).join("");
}

/** Describes who gave the latest answers, most of them first. */
export function describeShares({ shares }: Course): string {
  const sorted = [...shares].sort(([, a], [, b]) => b - a);
  return sorted.map(([name, share]) => `${name} ${percent(share)}`).join(", ");
}

/** Writes a part as a percentage. */
export function percent(part: number): string {
  return `${(100 * part).toFixed(0)}%`;
}
