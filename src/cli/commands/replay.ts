import { readFileSync } from "node:fs";
import { createAlternatives } from "../../learning/alternatives.ts";
import { ControlTable } from "../../learning/controls.ts";
import { LoggedReplay } from "../../replay/logged-replay.ts";
import type { LoggedReport } from "../../replay/report.ts";
import type { Interval } from "../../replay/running-mean.ts";
import { findProject } from "../../store/administration/find-project.ts";
import { DEFAULT_PROJECT } from "../../store/entities/project.ts";
import { readControls } from "../../store/learning/control-store.ts";
import { readLogged } from "../../store/learning/read-in-order.ts";
import { firstIdAt } from "../../store/types/period.ts";
import { choice, defineRootCommand, option, required } from "../command.ts";
import { json, PROJECT, readTime } from "../options.ts";
import { fail, print, printJson, printTable, tell } from "../output.ts";
import { openConfiguredStore, readConfig } from "../with-config.ts";

/** Progress is told of at most so often. */
const TELL_EVERY_MS = 2000;

const HELP = `
It runs the service's own policy on the configured database, and writes nothing. For the requests that asked for the
base model and got feedback, it estimates the results of base alone, of the policy, and of each other model, as far as
they answered by chance.

docs/replay.md says what each figure means.`;

/** `attune replay`. */
export const replay = defineRootCommand({
  options: {
    base: required(option("model", "the model that callers ask for")),
    ...PROJECT,
    since: option("time", "from this time on, such as 2026-11-01 or 2026-11-01T12:00:00Z", readTime),
    objective: choice("objective", "objective of the policy; the workload's if absent", [
      ...(["quality", "balanced", "cost", "latency"] as const),
    ]),
    feedback: choice("kind", "voluntary guards complaints per request too; the workload's setting if absent", [
      ...(["complete", "voluntary"] as const),
    ]),
    priors: option("file", "JSON with the prior advantage of models over base: {model: advantage}"),
    ...json("object", ["project", "run", "served", "courses", "warnings"]),
  },
  help: HELP,
  async run({ base: baseName, since, json: isJson, ...options }) {
    const config = readConfig();
    const base = findModel(config, baseName);
    const models = createAlternatives(config.models, config.learning.models)(base);
    const store = await openConfiguredStore(config);
    try {
      const projectName = options.project ?? DEFAULT_PROJECT.id;
      const project = (await findProject(store, projectName)) ?? fail(`there is no project '${projectName}'`);
      const key = { projectId: project.id, model: base };
      const controls = new ControlTable(config.learning);
      controls.replace(await readControls(store));
      const { metrics, ...held } = controls.of(key);
      const objective = options.objective ?? held.objective;
      const feedback = options.feedback ?? held.feedback;
      const priors = options.priors === undefined ? config.learning.priors : readPriors(options.priors, models);
      const logged = new LoggedReplay({ key, models, objective, feedback, metrics, priors });
      let toldAt = performance.now();
      for await (const item of readLogged(store.query(), key, since && firstIdAt(since.getTime()))) {
        logged.take(item);
        if (performance.now() - toldAt < TELL_EVERY_MS) continue;
        toldAt = performance.now();
        tell(`read ${logged.requests.toLocaleString("en")} requests`);
      }
      const report = logged.report();
      if (isJson) return printJson({ project: project.name, ...report });
      if (report.run.requests === 0) return print(`no decisions recorded for calls of ${base} in ${project.name}`);
      printReport(report, project.name);
    } catch (thrown) {
      fail(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      await store.close();
    }
  },
});

/** Returns the name of a model, also of one that is given as callers do; ends the command if there is none of it. */
function findModel({ models, prefix }: ReturnType<typeof readConfig>, given: string): string {
  const name = given.startsWith(`${prefix}/`) ? given.slice(prefix.length + 1) : given;
  if (models.some((model) => model.name === name)) return name;
  fail(`there is no model '${given}': there are ${models.map((model) => model.name).join(", ")}`);
}

function printReport({ run, served, courses, warnings }: LoggedReport, project: string): void {
  print(
    `${run.base} in ${project}: ${run.requests.toLocaleString("en")} requests, ` +
      `${run.rewards.toLocaleString("en")} rewards, policy ${run.policy} for ${run.objective}\n`,
  );
  const rows = courses.map(({ name, reward, delta, isBetter, costRatio, deviatingShare, effectiveAnswers, doubt }) => [
    getName(name, run.base),
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

function getName(name: string, base: string): string {
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

/**
 * Reads how much better than base models are believed to be. Throws an error that names the file and what is wrong with
 * it.
 */
export function readPriors(file: string, models: readonly string[]): Record<string, number> {
  let priors: unknown;
  try {
    priors = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof priors !== "object" || priors === null || Array.isArray(priors)) {
    throw new Error(`${file}: must be a JSON object of models and numbers`);
  }
  for (const [model, advantage] of Object.entries(priors)) {
    if (!models.includes(model)) throw new Error(`${file}: there is no model ${model}: there are ${models.join(", ")}`);
    if (typeof advantage !== "number" || Math.abs(advantage) > 1) {
      throw new Error(`${file}: ${model} must be a number from -1 to 1`);
    }
  }
  return priors as Record<string, number>;
}
