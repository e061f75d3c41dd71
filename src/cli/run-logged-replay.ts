import { createAlternatives } from "../learning/alternatives.ts";
import type { WorkloadControls } from "../learning/workload.ts";
import type { Interval } from "../replay/logged/confidence.ts";
import { LoggedReplay } from "../replay/logged/logged-replay.ts";
import type { LoggedReport } from "../replay/logged/report.ts";
import { readLogged } from "../store/learning/read-in-order.ts";
import { firstIdAt } from "../store/types/period.ts";
import { findProject } from "./find-project.ts";
import { fail, print, printTable, tell } from "./output.ts";
import { readPriors } from "./read-priors.ts";
import { checkModel, tableOf } from "./run-workloads.ts";
import { openConfiguredStore, readConfig } from "./with-config.ts";

/** Progress is told of at most so often. */
const TELL_EVERY_MS = 2000;

interface LoggedReplayCommandOptions extends Partial<Pick<WorkloadControls, "objective" | "feedback">> {
  readonly base: string;
  readonly project?: string;
  readonly since?: Date;
  readonly priors?: string;
  readonly json?: true;
}

/** Replays what is on record of a workload, and prints what other courses would have brought. */
export async function runLoggedReplay({ json, since, ...options }: LoggedReplayCommandOptions): Promise<void> {
  const config = readConfig();
  const base = checkModel(config, options.base);
  const models = createAlternatives(config.models, config.learning.models)(base);
  const store = await openConfiguredStore(config);
  try {
    const project = await findProject(store, options.project);
    const key = { projectId: project.id, model: base };
    const { objective, feedback, metrics } = { ...(await tableOf(config, store)).of(key), ...options };
    const priors = options.priors === undefined ? config.learning.priors : readPriors(options.priors, models);
    const replay = new LoggedReplay({ key, models, objective, feedback, metrics, priors });
    let toldAt = performance.now();
    for await (const item of readLogged(store.query(), key, since && firstIdAt(since.getTime()))) {
      replay.take(item);
      if (performance.now() - toldAt < TELL_EVERY_MS) continue;
      toldAt = performance.now();
      tell(`read ${replay.requests.toLocaleString("en")} requests`);
    }
    const report = replay.report();
    if (json) return print(JSON.stringify({ project: project.name, ...report }));
    if (report.run.requests === 0) {
      return print(`no decisions recorded for calls of ${base} in ${project.name}`);
    }
    printReport(report, project.name);
  } catch (thrown) {
    fail(thrown instanceof Error ? thrown.message : String(thrown));
  } finally {
    await store.close();
  }
}

function printReport({ run, served, courses, warnings }: LoggedReport, project: string): void {
  print(
    `${run.base} in ${project}: ${run.requests.toLocaleString("en")} requests, ` +
      `${run.rewards.toLocaleString("en")} rewards, policy ${run.policy} for ${run.objective}\n`,
  );
  const rows = courses.map(({ name, reward, delta, isBetter, costRatio, deviatingShare, effectiveAnswers, doubt }) => [
    nameOf(name, run.base),
    reward === null ? "-" : reward.mean.toFixed(3),
    name === "base" ? "" : delta === null ? "-" : `${text(delta)}${isBetter ? " *" : ""}`,
    costRatio === null ? "-" : costRatio.toFixed(2),
    percent(deviatingShare),
    effectiveAnswers.toFixed(0),
    doubt ?? "",
  ]);
  const servedRow = ["as served", served.reward?.mean.toFixed(3) ?? "-", "", "", percent(served.deviatingShare)];
  printTable(
    ["ANSWERED BY", "REWARD", "ABOVE BASE", "COST", "NOT BASE", "EFFECTIVE ANSWERS", ""],
    [servedRow, ...rows],
  );
  print("\n* better than base, at 95%. Intervals stay valid under repeated looks; cost is a multiple of base's.");
  if (run.passedOver > 0) {
    print(
      `${run.passedOver.toLocaleString("en")} requests are skipped: they continued with the model of their ` +
        "conversation, or the configuration lacks their model.",
    );
  }
  for (const warning of warnings) print(warning);
}

function nameOf(name: string, base: string): string {
  if (name === "base") return `${base} (base)`;
  return name === "policy" ? "the policy" : name;
}

function text({ mean, low, high }: Interval): string {
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(3)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}
