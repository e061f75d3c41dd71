import { type Command, Option } from "commander";
import { readName } from "./keys.ts";
import { addLimitOptions, type LimitOptions } from "./quota-options.ts";

/** Adds `attune projects list|create|update`. */
export function addProjectsCommand(program: Command): void {
  const projects = program.command("projects").description("manage projects and their limits");
  projects
    .command("list")
    .description("list projects with their limits")
    .option("--json", "print JSON")
    .action(async (options: { json?: true }) => (await import("./run-projects.ts")).runProjectsList(options));
  addLimitOptions(
    projects
      .command("create")
      .description("create a project")
      .argument("<name>", "its name", readName)
      .option("--owner <email>", "account that owns it on the dashboard; nobody sees it there if absent"),
  ).action(async (name: string, options: LimitOptions & { owner?: string }) =>
    (await import("./run-projects.ts")).runProjectsCreate(name, options),
  );
  addLimitOptions(
    projects
      .command("update")
      .description("set limits of a project; limits that are not named stay as they are")
      .argument("<project>", "its id or name")
      .addOption(
        new Option("--each <kind>", "set limits of each of its keys, or end users, that has none by name").choices([
          "key",
          "end-user",
        ]),
      ),
  ).action(async (project: string, { each, ...limits }: LimitOptions & { each?: "key" | "end-user" }) =>
    (await import("./run-quotas.ts")).runQuotasSet({ project, ...(each !== undefined && { each }) }, limits),
  );
}
