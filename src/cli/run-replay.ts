import { readRows } from "../replay/read-rows.ts";
import { type ReplayOptions, replay } from "../replay/replay.ts";
import type { ReplayReport } from "../replay/summarise.ts";
import { fail, print, printTable, tell } from "./output.ts";
import { readPriors } from "./read-priors.ts";

/** Progress is told of at most so often. */
const TELL_EVERY_MS = 2000;

interface ReplayCommandOptions extends Omit<ReplayOptions, "priors" | "candidates" | "shadow" | "onSeed"> {
  readonly data: string;
  readonly priors?: string;
  /** The most answers that are asked for, and how often the better of two is chosen: both or neither. */
  readonly candidates?: number;
  readonly selector?: number;
  /** The share of shadow trials, how often a grade is right, and what it favours models by: none without the first. */
  readonly shadow?: number;
  readonly judge?: number;
  readonly judgeBias?: number;
  readonly json?: true;
}

/** Replays rows, and prints what came of it. */
export async function runReplay({
  data,
  priors,
  candidates,
  selector,
  shadow,
  judge,
  judgeBias = 0,
  json,
  ...options
}: ReplayCommandOptions): Promise<void> {
  try {
    const set = await readRows(data).catch((error: Error) => {
      throw new Error(`${data}: ${error.message}`);
    });
    const report = await replay(set, {
      ...options,
      ...(priors !== undefined && { priors: readPriors(priors, set.models) }),
      ...(candidates !== undefined &&
        selector !== undefined && { candidates: { most: candidates, accuracy: selector } }),
      ...(shadow !== undefined &&
        judge !== undefined && { shadow: { share: shadow, accuracy: judge, biasSd: judgeBias } }),
      onSeed: createProgress(options.seeds),
    });
    if (report.run.steps < options.steps) {
      tell(`the file has rows for streams of ${report.run.steps} steps, and not ${options.steps}`);
    }
    if (json) print(JSON.stringify(report));
    else printReport(report);
  } catch (thrown) {
    fail(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function createProgress(seeds: number): (done: number) => void {
  let toldAt = performance.now();
  return (done) => {
    if (done === seeds || performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    tell(`replayed ${done} of ${seeds} streams`);
  };
}

function printReport(report: ReplayReport): void {
  const { run, regret } = report;
  print(
    `policy ${run.policy}, base ${run.base}, ${run.seeds} streams of ${run.steps} requests from ${run.rows} rows\n`,
  );
  const text = (value: number | null, digits = 4): string => (value === null ? "-" : value.toFixed(digits));
  printTable(
    ["FIGURE", "VALUE"],
    [
      ["reward above base's", `${text(report.meanDelta)} +- ${text(report.sdDelta)}`],
      ["in the first 1,000 requests", text(report.deltaAt1000)],
      ["of the worst stream", text(report.worstDelta)],
      ["most ever behind base, in rewards", text(report.maxDeficit, 1)],
      ["cost, as a multiple of base's", text(report.costRatio, 3)],
      ["share of the gap to the best model per family", text(report.taskGapShare, 3)],
      ...Object.entries(regret).map(([step, value]) => [`regret after ${step} requests`, text(value, 1)]),
      ["share not answered by base", text(report.deviatingShare, 3)],
      ...(report.severalShare > 0 ? [["share with best-of-n", text(report.severalShare, 3)]] : []),
      ...(report.judgeCalls > 0
        ? [
            ["shadow trials, as a share of requests", text(report.shadowCalls, 3)],
            ["grades, as a share of requests", text(report.judgeCalls, 3)],
            ["cost of shadow trials, as a multiple of base's", text(report.trialCostRatio, 3)],
          ]
        : []),
      ["microseconds per decision, p50", text(report.decisionMicrosP50, 2)],
      ["microseconds per decision, p99", text(report.decisionMicrosP99, 2)],
    ],
  );
}
