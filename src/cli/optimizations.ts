import { type Command, InvalidArgumentError, Option } from "commander";
import { OPTIMIZATION_NAMES, type OptimizationName } from "../catalog/model.ts";
import { addJsonList, type JsonOptions } from "./json-option.ts";
import { addRemoteOption, REMOTE_HELP } from "./remote-option.ts";
import type { ProjectOptions } from "./run-project-settings.ts";

const HELP = `
A project can switch off optimizations that the configuration allows. It cannot allow those that the configuration
forbids. It takes effect within a second in every process. See docs/models.md.`;

/** Adds `attune optimizations list|off|on`. */
export function addOptimizationsCommand(program: Command): void {
  const optimizations = program
    .command("optimizations")
    .description("show and switch the optimizations of a project")
    .addHelpText("after", HELP + REMOTE_HELP);
  const add = (name: string, description: string) =>
    optimizations
      .command(name)
      .description(description)
      .addOption(new Option("--project <project>", "id or name of the project; the default one if absent"));
  const list = addJsonList(add("list", "list the optimizations and their state"), ["name", "isOff", "description"]);
  addRemoteOption(list).action(async (options: ProjectOptions & JsonOptions) =>
    (await import("./run-optimizations.ts")).runListOptimizations(options),
  );
  for (const state of ["off", "on"] as const) {
    addRemoteOption(
      add(state, state === "off" ? "switch some off, or all" : "leave some to the configuration again, or all"),
    )
      .argument("[names...]", `of ${OPTIMIZATION_NAMES.join(", ")}; all of them if absent`, readName, [])
      .action(async (names: OptimizationName[], options: ProjectOptions) =>
        (await import("./run-optimizations.ts")).runSwitchOptimizations(state, names, options),
      );
  }
}

function readName(text: string, before: readonly OptimizationName[]): OptimizationName[] {
  const name = OPTIMIZATION_NAMES.find((known) => known === text);
  if (name === undefined) throw new InvalidArgumentError(`must be of ${OPTIMIZATION_NAMES.join(", ")}`);
  return [...before, name];
}
