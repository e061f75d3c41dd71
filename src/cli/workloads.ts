import { type Command, InvalidArgumentError, Option } from "commander";
import { addJsonList, addJsonObject, type JsonOptions } from "./json-option.ts";
import { addRemoteOption } from "./remote-option.ts";
import {
  EXTENTS,
  type MetricArguments,
  MODES,
  type ModeArgument,
  OBJECTIVES,
  type RebuildOptions,
  type SetArguments,
  UNITS,
  type WorkloadOptions,
} from "./workload-options.ts";

const MOST_USD = 1_000_000;
const MOST_RUBRIC = 4000;

const HELP = `
A workload is a project's calls of one model, its base. Without --model, a setting applies to all workloads
of the project without settings of their own. It takes effect within a second in every process. See docs/learning.md.

With --url the commands work with a service that runs, by the admin key in ATTUNE_ADMIN_KEY; without it, on the database
of the configuration.`;

const SUMMARY_MEMBERS = ["model", "controls", "rewards", "learnedAt"];
const DETAIL_MEMBERS = [
  ...["families", "hasRegretRoom", "problem", "finding", "models", "selector", "latencies", "events"],
];

/** Declares a command of a project's workloads. */
type AddCommand = (name: string, description: string) => Command;

/** Adds `attune workloads list|show|set|mode|freeze|pin|free|exclude|metric|reset|rebuild|cancel-rebuild`. */
export function addWorkloadsCommand(program: Command): void {
  const workloads = program
    .command("workloads")
    .description("show and control what Attune learns from feedback")
    .addHelpText("after", HELP);
  const add = (name: string, description: string) =>
    workloads
      .command(name)
      .description(description)
      .addOption(new Option("--project <project>", "id or name of the project; the default one if absent"));
  addReads(add);
  addControls((name, description) =>
    add(name, description).option("--model <model>", "base of the workload; all of the project if absent"),
  );
  addRemoteOption(add("reset", "reset the learned state of a workload"))
    .argument("<model>", "base of the workload")
    .action(async (model: string, options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runReset({ ...options, model }),
    );
  addRemoteOption(
    workloads
      .command("rebuild")
      .description("rebuild the learned state from all inferences and feedback in the database")
      .option("--project <project>", "id or name of the project; all of them if absent")
      .option("--no-wait", "only ask for it: a service that runs does it in the background"),
  )
    .addHelpText(
      "after",
      "\nAttune may run meanwhile: new feedback waits and is learned afterwards. Deleted records cannot be learned.",
    )
    .action(async (options: RebuildOptions) => (await import("./run-rebuild.ts")).runRebuild(options));
  addRemoteOption(add("cancel-rebuild", "cancel a rebuild that waits or runs; it replaces nothing")).action(
    async (options: WorkloadOptions) => (await import("./run-rebuild.ts")).runCancelRebuild(options),
  );
}

function addReads(add: AddCommand): void {
  addRemoteOption(addJsonList(add("list", "list the workloads with learned state"), SUMMARY_MEMBERS)).action(
    async ({ json, ...options }: WorkloadOptions & JsonOptions) =>
      json
        ? (await import("./workloads-json.ts")).printWorkloads(options)
        : (await import("./run-workloads.ts")).runList(options),
  );
  const show = add("show", "show the learned state and the events of a workload");
  addRemoteOption(addJsonObject(show, [...SUMMARY_MEMBERS, ...DETAIL_MEMBERS]))
    .argument("<model>", "base of the workload")
    .action(async (model: string, { json, ...options }: WorkloadOptions & JsonOptions) =>
      json
        ? (await import("./workloads-json.ts")).printWorkload({ ...options, model })
        : (await import("./run-workloads.ts")).runShow({ ...options, model }),
    );
}

function addControls(add: AddCommand): void {
  addRemoteOption(add("mode", "set the mode"))
    .argument(
      "<mode>",
      "off: learn nothing; observe: record decisions only; on: other models may answer; default: inherit",
      readWord(MODES),
    )
    .action(async (mode: ModeArgument, options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runMode(mode, options),
    );
  addRemoteOption(add("freeze", "let only base answer; Attune still learns")).action(async (options: WorkloadOptions) =>
    (await import("./run-workloads.ts")).runFreeze(options),
  );
  addRemoteOption(add("pin", "let one model answer wherever it can"))
    .argument("<answering>", "name of the model")
    .action(async (answering: string, options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runPin(answering, options),
    );
  addRemoteOption(add("free", "end freeze and pin")).action(async (options: WorkloadOptions) =>
    (await import("./run-workloads.ts")).runFree(options),
  );
  addRemoteOption(add("exclude", "exclude models from answering in place of base; without names, exclude none"))
    .argument("[models...]", "names of the models: they replace the current list")
    .action(async (models: string[], options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runExclude(models, options),
    );
  addMetric(add);
  addSet(add);
}

function addSet(add: AddCommand): void {
  addRemoteOption(
    add(
      "set",
      "set the objective, the reward per price, the extent of feedback, the unit of decisions and shadow trials",
    ),
  )
    .addHelpText("after", '\nThe value "default" leaves a setting to the project, and there to the configuration.')
    .option("--mode <mode>", `${MODES.join(", ")}`, readWord(MODES))
    .option("--objective <objective>", OBJECTIVES.join(", "), readWord(OBJECTIVES))
    .option(
      "--reward-per-price <reward>",
      "reward, 0 to 1, that a model has to earn for each price of base that it costs more, or default",
      readOr(readWeight),
    )
    .option("--feedback <extent>", "voluntary: of some calls; complete: of every call; default", readWord(EXTENTS))
    .option("--unit <unit>", "what one decision is for: session, request, default", readWord(UNITS))
    .option("--shadow <share>", "share of the answers that are tried, 0 to 1, or default", readOr(readWeight))
    .option("--judge <model>", "model that grades, or default")
    .option("--usd-day <amount>", "most that trials and grades cost in a day, in USD, or default", readOr(readUsd))
    .option("--rubric <text>", "what a satisfactory answer is, for the judge, or default", readRubric)
    .action(async ({ project, model, url, ...said }: WorkloadOptions & SetArguments) => {
      const whom = {
        ...(project !== undefined && { project }),
        ...(model !== undefined && { model }),
        ...(url !== undefined && { url }),
      };
      await (await import("./run-set.ts")).runSet(said, whom);
    });
}

/** Reads one of some words. */
function readWord<const Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word === undefined) throw new InvalidArgumentError(`must be ${words.join(", ")}`);
    return word;
  };
}

/** Reads a value, or "default". */
function readOr(read: (text: string) => number): (text: string) => number | "default" {
  return (text) => (text === "default" ? text : read(text));
}

function readUsd(text: string): number {
  const amount = readNumber(text);
  if (amount < 0 || amount > MOST_USD) throw new InvalidArgumentError(`must be an amount from 0 to ${MOST_USD}`);
  return amount;
}

function readRubric(text: string): string {
  if (text.trim() === "" || text.length > MOST_RUBRIC) {
    throw new InvalidArgumentError(`must be a text of at most ${MOST_RUBRIC} characters`);
  }
  return text;
}

function addMetric(add: AddCommand): void {
  addRemoteOption(add("metric", "set how a metric counts; without options, remove its settings"))
    .argument("<name>", "its name, with dots where it is nested")
    .addOption(new Option("--weight <share>", "0 to 1: how much it counts; 0: only guarded").argParser(readWeight))
    .addOption(
      new Option("--direction <direction>", "which direction is better if the client does not say").choices([
        "max",
        "min",
      ]),
    )
    .addOption(
      new Option("--at-least <bound>", "lowest mean of a model that may answer in place of base").argParser(readNumber),
    )
    .addOption(new Option("--at-most <bound>", "highest mean of such a model").argParser(readNumber))
    .action(async (name: string, { project, model, url, ...said }: WorkloadOptions & MetricArguments) => {
      const whom = {
        ...(project !== undefined && { project }),
        ...(model !== undefined && { model }),
        ...(url !== undefined && { url }),
      };
      await (await import("./run-metric.ts")).runMetric({ name, ...said }, whom);
    });
}

function readNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new InvalidArgumentError("must be a number");
  return number;
}

function readWeight(text: string): number {
  const weight = readNumber(text);
  if (weight < 0 || weight > 1) throw new InvalidArgumentError("must be a number from 0 to 1");
  return weight;
}
