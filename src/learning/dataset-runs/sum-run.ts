import type { RunAnswer, RunSide } from "./ports.ts";

const Z_95 = 1.96;

/** An answer of a run, as far as its totals need it. */
export type CountedAnswer = Omit<RunAnswer, "id" | "text" | "problem">;

/** The totals of one model of a run. */
interface SideTotals {
  readonly answered: number;
  readonly failed: number;
  /** Answers that passed all checks. */
  readonly passed: number;
  /** Answers with a grade, and the satisfactory ones of them. */
  readonly graded: number;
  readonly good: number;
  /** Requests that it answered better than the other model. */
  readonly wins: number;
  /** Of the answers; null where no call had a price. */
  readonly costNanos: number | null;
  /** Null where nothing was answered. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

/** The totals of a run so far. */
interface RunTotals {
  /** Requests that were asked, and those of them that could not be asked again. */
  readonly done: number;
  readonly skipped: number;
  /** Requests that both answered equally well, or one as badly as the other. */
  readonly ties: number;
  /** Requests that neither answered, which compare nothing. */
  readonly unanswered: number;
  /** Null where no request was compared. */
  readonly difference: WinDifference | null;
  readonly sides: readonly [SideTotals, SideTotals];
  /** Of all grades; null where there was none, or the judge has no price. */
  readonly gradeNanos: number | null;
}

/**
 * Returns how good an answer is, 0 or 1: one that fails a check is not, nor one that the judge found wanting. No answer
 * is not either. Undefined where it was skipped.
 */
export function getScore({ outcome, failedChecks, isGood }: CountedAnswer): 0 | 1 | undefined {
  if (outcome === "skipped") return undefined;
  if (outcome === "failed" || (failedChecks?.length ?? 0) > 0) return 0;
  return isGood === false ? 0 : 1;
}

/** Adds up the answers of a run. */
export function sumRun(answers: readonly CountedAnswer[]): RunTotals {
  const pairs = [...Map.groupBy(answers, ({ inferenceId }) => inferenceId).values()];
  const wins: [number, number] = [0, 0];
  let [ties, skipped, unanswered] = [0, 0, 0];
  for (const pair of pairs) {
    const [one, other] = ([0, 1] as const).map((wanted) => pair.find(({ side }) => side === wanted));
    const [first, second] = [one && getScore(one), other && getScore(other)];
    if (one?.outcome === "skipped") skipped += 1;
    if (first === undefined || second === undefined) continue;
    if (one?.outcome === "failed" && other?.outcome === "failed") unanswered += 1;
    else if (first === second) ties += 1;
    else wins[first > second ? 0 : 1] += 1;
  }
  const sideOf = (side: RunSide) =>
    sumSide(
      answers.filter((answer) => answer.side === side),
      wins[side],
    );
  return {
    done: pairs.length,
    skipped,
    ties,
    unanswered,
    sides: [sideOf(0), sideOf(1)],
    difference: winDifference(wins, ties),
    gradeNanos: sumKnown(answers.map(({ gradeNanos }) => gradeNanos)),
  };
}

function sumSide(answers: readonly CountedAnswer[], wins: number): SideTotals {
  const answered = answers.filter(({ outcome }) => outcome === "answered");
  const times = answered.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  return {
    answered: answered.length,
    failed: answers.filter(({ outcome }) => outcome === "failed").length,
    passed: answered.filter(({ failedChecks }) => failedChecks?.length === 0).length,
    graded: answered.filter(({ isGood }) => isGood !== null).length,
    good: answered.filter(({ isGood }) => isGood === true).length,
    wins,
    costNanos: sumKnown(answers.map(({ costNanos }) => costNanos)),
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
  };
}

function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Returns the value below which a part of the others lies; null where there is none. */
function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null;
}

/** The share of requests that the second model wins, less that of the first, among those that both were asked. */
interface WinDifference {
  readonly mean: number;
  /** Ends of the interval of 95%. */
  readonly low: number;
  readonly high: number;
}

/**
 * Returns by how much more often the second model wins; null where no request was compared. Half a win is added to each
 * of the four outcomes of a pair, so that few requests and none won still have an interval that holds (Agresti and Min
 * 2005, "Simple improved confidence intervals for comparing matched proportions").
 */
export function winDifference([first, second]: readonly [number, number], ties: number): WinDifference | null {
  const pairs = first + second + ties;
  if (pairs === 0) return null;
  const total = pairs + 2;
  const center = (second - first) / total;
  const margin = (Z_95 * Math.sqrt(first + second + 1 - (second - first) ** 2 / total)) / total;
  return {
    mean: (second - first) / pairs,
    low: Math.max(-1, center - margin),
    high: Math.min(1, center + margin),
  };
}
