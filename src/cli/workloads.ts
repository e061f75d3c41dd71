import { type Command, InvalidArgumentError, Option } from "commander";
import { type MetricArguments, MODES, type ModeArgument, type WorkloadOptions } from "./workload-options.ts";

const HELP = `
A workload is a project's calls of one model, its base. Without --model, what is said holds for all workloads of the project of which
nothing else is said. It takes effect within a second in every process. See docs/learning.md.`;

/** Adds `attune workloads list|show|mode|freeze|pin|free|exclude|metric|reset|rebuild`. */
export function addWorkloadsCommand(program: Command): void {
  const workloads = program
    .command("workloads")
    .description("what is learned from feedback: see it, hold it, or have it learned anew")
    .addHelpText("after", HELP);
  const add = (name: string, description: string) =>
    workloads
      .command(name)
      .description(description)
      .addOption(new Option("--project <project>", "id or name of the project; the default one if absent"));
  const addControl = (name: string, description: string) =>
    add(name, description).option("--model <model>", "base of the workload; all of the project if absent");
  add("list", "list the workloads of which anything was learned").action(async (options: WorkloadOptions) =>
    (await import("./run-workloads.ts")).runList(options),
  );
  add("show", "show what was learned of a workload, and what happened to it")
    .argument("<model>", "base of the workload")
    .action(async (model: string, options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runShow({ ...options, model }),
    );
  addControl("mode", "say what feedback may change")
    .argument(
      "<mode>",
      "off: nothing; observe: nothing, but it is decided and recorded; on: who answers; default",
      readMode,
    )
    .action(async (mode: ModeArgument, options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runMode(mode, options),
    );
  addControl("freeze", "have only base answer; it is learned on").action(async (options: WorkloadOptions) =>
    (await import("./run-workloads.ts")).runFreeze(options),
  );
  addControl("pin", "have one model answer wherever it can")
    .argument("<answering>", "name of the model")
    .action(async (answering: string, options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runPin(answering, options),
    );
  addControl("free", "end freeze and pin").action(async (options: WorkloadOptions) =>
    (await import("./run-workloads.ts")).runFree(options),
  );
  addControl("exclude", "say which models never answer in base's place; without any, none is excluded")
    .argument("[models...]", "names of the models: they replace those that were said before")
    .action(async (models: string[], options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runExclude(models, options),
    );
  addControl("metric", "say how a metric counts; without any option, that nothing is said of it")
    .argument("<name>", "its name, with dots where it is nested")
    .addOption(
      new Option("--weight <share>", "0 to 1: how much it counts; 0 has it guarded instead").argParser(readWeight),
    )
    .addOption(
      new Option("--direction <direction>", "which way it gets better where the client did not say").choices([
        "max",
        "min",
      ]),
    )
    .addOption(
      new Option("--at-least <bound>", "the mean that a model's values must have to answer in base's place").argParser(
        readNumber,
      ),
    )
    .addOption(new Option("--at-most <bound>", "the same from above").argParser(readNumber))
    .action(async (name: string, { project, model, ...said }: WorkloadOptions & MetricArguments) => {
      const whom = { ...(project !== undefined && { project }), ...(model !== undefined && { model }) };
      await (await import("./run-metric.ts")).runMetric({ name, ...said }, whom);
    });
  add("reset", "forget what was learned of a workload, and begin anew")
    .argument("<model>", "base of the workload")
    .action(async (model: string, options: WorkloadOptions) =>
      (await import("./run-workloads.ts")).runReset({ ...options, model }),
    );
  workloads
    .command("rebuild")
    .description("learn anew from all inferences and feedback that the database has, and replace what was learned")
    .option("--project <project>", "id or name of the project; all of them if absent")
    .addHelpText(
      "after",
      "\nAttune may run meanwhile: what comes in waits, and is learned afterwards. What retention has deleted is lost to it.",
    )
    .action(async (options: WorkloadOptions) => (await import("./run-rebuild.ts")).runRebuild(options));
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

function readMode(text: string): ModeArgument {
  const mode = MODES.find((known) => known === text);
  if (mode === undefined) throw new InvalidArgumentError(`must be ${MODES.join(", ")}`);
  return mode;
}
