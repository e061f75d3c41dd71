import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drawLabel, drawSvg, type Palette, round } from "./diagram.ts";

const SOURCE = "0075-evidence-where-feedback-is-dense.md";
const DECISIONS = join(import.meta.dirname, "..", "..", "..", "docs", "decisions");

/** Gains of replayed streams over base, by the part of the answers that got feedback. */
interface Gains {
  /** Head of the column in the decision's table. */
  readonly name: string;
  readonly points: readonly Point[];
}

interface Point {
  /** In hundredths of the answers. */
  readonly feedback: number;
  readonly gain: number;
  /** The gain over the first 1,000 requests, or of the worst stream, as the column has it in brackets. */
  readonly beside: number;
}

/** Reads the figures of replays from the table of a decision, so that chart and decision cannot differ. */
export function readGains(): Gains[] {
  const lines = readFileSync(join(DECISIONS, SOURCE), "utf8").split("\n");
  const cells = (line: string): string[] =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const at = lines.findIndex((line) => line.startsWith("| feedback |"));
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("|"));
  const [names = [], , ...rows] = lines.slice(at, end).map(cells);
  return names.slice(1).map((name, column) => ({
    name,
    points: rows.map((row) => ({ feedback: Number.parseInt(row[0] ?? "", 10), ...readCell(row[column + 1] ?? "") })),
  }));
}

/** Reads "before (beside), now (beside)", or "before (beside), no change". */
function readCell(cell: string): Omit<Point, "feedback"> {
  const numbers = [...cell.matchAll(/(-?[\d.]+) \((-?[\d.]+)\)/g)].at(-1);
  const [gain, beside] = [Number(numbers?.[1]), Number(numbers?.[2])];
  if (Number.isNaN(gain) || Number.isNaN(beside)) throw new Error(`${SOURCE}: '${cell}' has no figures`);
  return { gain, beside };
}

interface Axis {
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

interface Line {
  readonly label: string;
  readonly color: string;
  readonly isDashed?: boolean;
  readonly values: readonly number[];
}

interface Chart {
  readonly title: string;
  readonly axis: Axis;
  readonly lines: readonly Line[];
  /** In hundredths of the answers. */
  readonly feedback: readonly number[];
}

const PLOT = { left: 70, top: 52, width: 470, height: 230 };

/** Draws the gain by the amount of feedback, over all of a stream and over its beginning. */
export function drawGainChart(palette: Palette): string {
  const [uiuc, , scripted, ten] = readGains();
  if (uiuc === undefined || scripted === undefined || ten === undefined) throw new Error(`${SOURCE} has no table`);
  const gains = ({ points }: Gains): number[] => points.map(({ gain }) => gain);
  const first = ({ points }: Gains): number[] => points.map(({ beside }) => beside);
  return drawChart(palette, {
    title: "Right answers gained in a hundred, by how many answers get feedback",
    axis: { least: 0, most: 0.35, step: 0.05 },
    feedback: uiuc.points.map(({ feedback }) => feedback),
    lines: [
      { label: "one better model (scripted)", color: palette.accent, values: gains(scripted) },
      { label: "… its first 1,000 calls", color: palette.accent, isDashed: true, values: first(scripted) },
      { label: "ten kinds of prompts", color: palette.second, values: gains(ten) },
      { label: "… its first 1,000 calls", color: palette.second, isDashed: true, values: first(ten) },
      { label: "nine real models", color: palette.text, values: gains(uiuc) },
      { label: "… its first 1,000 calls", color: palette.text, isDashed: true, values: first(uiuc) },
    ],
  });
}

/** Draws what is lost where the model that was asked for is the best one already. */
export function drawLossChart(palette: Palette): string {
  const best = readGains()[1];
  if (best === undefined) throw new Error(`${SOURCE} has no table`);
  return drawChart(palette, {
    title: "Gained or lost in a hundred answers where the asked model is the best already",
    axis: { least: -0.02, most: 0.01, step: 0.005 },
    feedback: best.points.map(({ feedback }) => feedback),
    lines: [
      { label: "mean of 40 streams", color: palette.accent, values: best.points.map(({ gain }) => gain) },
      { label: "worst of 40 streams", color: palette.second, values: best.points.map(({ beside }) => beside) },
    ],
  });
}

function drawChart(palette: Palette, { title, axis, feedback, lines }: Chart): string {
  const { left, top, width, height } = PLOT;
  const x = (at: number): number => left + (at * width) / (feedback.length - 1);
  const y = (value: number): number => top + height * (1 - (value - axis.least) / (axis.most - axis.least));
  const steps = Math.round((axis.most - axis.least) / axis.step);
  const ticks = Array.from({ length: steps + 1 }, (_, index) => axis.least + index * axis.step);
  return drawSvg({ width: 800, height: 340, title }, [
    drawLabel(left, 24, title, { color: palette.text, size: 15, isBold: true }),
    ...ticks.flatMap((tick) => drawTick(palette, { tick, y: y(tick), isZero: Math.abs(tick) < axis.step / 10 })),
    ...feedback.map((share, at) =>
      drawLabel(x(at), top + height + 20, `${share}%`, { color: palette.dim, size: 12, anchor: "middle" }),
    ),
    drawLabel(left + width / 2, top + height + 42, "answers that get feedback", {
      color: palette.dim,
      size: 13,
      anchor: "middle",
    }),
    ...lines.flatMap((line, index) => drawLine(palette, line, { index, x, y })),
  ]);
}

function drawTick({ line, dim }: Palette, { tick, y, isZero }: { tick: number; y: number; isZero: boolean }): string[] {
  const { left, width } = PLOT;
  const stroke = `stroke="${line}" stroke-width="${isZero ? 1.5 : 0.4}"`;
  const text = `${tick > 0 && !isZero ? "+" : ""}${isZero ? 0 : round(tick * 100)}`;
  return [
    `<line x1="${left}" x2="${left + width}" y1="${round(y)}" y2="${round(y)}" ${stroke}/>`,
    drawLabel(left - 10, y + 4, text, { color: dim, size: 12, anchor: "end" }),
  ];
}

interface Axes {
  readonly index: number;
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

function drawLine(palette: Palette, { label, color, isDashed, values }: Line, { index, x, y }: Axes): string[] {
  const path = values.map((value, at) => `${at === 0 ? "M" : "L"}${round(x(at))} ${round(y(value))}`).join("");
  const dash = isDashed === true ? ' stroke-dasharray="5 4"' : "";
  const [legendX, legendY] = [PLOT.left + PLOT.width + 24, PLOT.top + 14 + index * 24];
  return [
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"${dash}/>`,
    ...values.map((value, at) => `<circle cx="${round(x(at))}" cy="${round(y(value))}" r="3" fill="${color}"/>`),
    `<path d="M${legendX} ${legendY - 5}h26" stroke="${color}" stroke-width="2"${dash}/>`,
    drawLabel(legendX + 34, legendY, label, { color: palette.text, size: 13 }),
  ];
}
