import { type Command, InvalidArgumentError, Option } from "commander";
import { USAGE_DIMENSIONS, type UsageDimension } from "../hub/usage.ts";
import { JsonOption } from "./json-option.ts";
import { readTime } from "./read-time.ts";
import { addRemoteOption } from "./remote-option.ts";
import type { UsageOptions } from "./usage-options.ts";

/** Adds `attune usage`. */
export function addUsageCommand(program: Command): void {
  addRemoteOption(program.command("usage"))
    .description("show calls, tokens, cost and latency of a project, or of all")
    .option(
      "--from <time>",
      "beginning, such as 2027-01-31 or 2027-01-31T12:00:00Z; 30 days before the end if absent",
      readTime,
    )
    .option("--to <time>", "end; now if absent", readTime)
    .option("--group-by <dimensions>", `what stays apart, of ${USAGE_DIMENSIONS.join(",")}`, readDimensions, [])
    .addOption(new Option("--format <format>", "form of the output").choices(["table", "csv", "json"]).default("table"))
    .addOption(new JsonOption("object", ["data", "total"]).implies({ format: "json" }))
    .addOption(new Option("--project <project>", "id or name of the project; the default one if absent"))
    .addOption(new Option("--all-projects", "all projects, each with rows of its own").conflicts("project"))
    .action(async (options: UsageOptions) => (await import("./run-usage.ts")).runUsage(options));
}

function readDimensions(text: string): readonly UsageDimension[] {
  const names = text.split(",");
  return names.map((name, at) => {
    const dimension = USAGE_DIMENSIONS.find((known) => known === name);
    if (dimension !== undefined && names.indexOf(name) === at) return dimension;
    throw new InvalidArgumentError(`must have some of ${USAGE_DIMENSIONS.join(", ")}, each once`);
  });
}
