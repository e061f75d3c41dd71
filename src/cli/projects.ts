import { type Command, Option } from "commander";
import type { RemoteOptions } from "./admin-client.ts";
import { readName } from "./keys.ts";
import { addLimitOptions, type LimitOptions } from "./quota-options.ts";
import { addRemoteOption, REMOTE_HELP } from "./remote-option.ts";

/** Adds `attune projects list|create|update|delete|restore`. */
export function addProjectsCommand(program: Command): void {
  const projects = program
    .command("projects")
    .description("manage projects and their limits")
    .addHelpText("after", REMOTE_HELP);
  addRemoteOption(
    projects
      .command("list")
      .description("list projects with their limits")
      .option("--deleted", "those that were deleted, with how far that is")
      .option("--json", "print JSON"),
  ).action(async ({ deleted, ...options }: RemoteOptions & { deleted?: true; json?: true }) =>
    deleted
      ? (await import("./run-project-deletions.ts")).runDeletionsList(options)
      : (await import("./run-projects.ts")).runProjectsList(options),
  );
  const creation = projects
    .command("create")
    .description("create a project")
    .argument("<name>", "its name", readName)
    .option("--owner <email>", "account that owns it on the dashboard; nobody sees it there if absent");
  addRemoteOption(addLimitOptions(creation)).action(
    async (name: string, options: LimitOptions & RemoteOptions & { owner?: string }) =>
      (await import("./run-projects.ts")).runProjectsCreate(name, options),
  );
  const update = projects
    .command("update")
    .description("set limits of a project; limits that are not named stay as they are")
    .argument("<project>", "its id or name")
    .addOption(
      new Option("--each <kind>", "set limits of each of its keys, or end users, that has none by name").choices([
        "key",
        "end-user",
      ]),
    );
  addRemoteOption(addLimitOptions(update)).action(
    async (project: string, { each, url, ...limits }: LimitOptions & RemoteOptions & { each?: "key" | "end-user" }) =>
      (await import("./run-quotas.ts")).runQuotasSet(
        { project, ...(each !== undefined && { each }), ...(url !== undefined && { url }) },
        limits,
      ),
  );
  addRemoteOption(
    projects
      .command("delete")
      .description("delete a project: its keys are refused at once, and all its data goes a day later")
      .argument("<project>", "its id or name")
      .option("--confirm", "delete it"),
  ).action(async (project: string, options: RemoteOptions & { confirm?: true }) =>
    (await import("./run-project-deletions.ts")).runProjectsDelete(project, options),
  );
  addRemoteOption(
    projects
      .command("restore")
      .description("undo the deletion of a project, within a day")
      .argument("<project>", "its id, or the name that it had"),
  ).action(async (project: string, options: RemoteOptions) =>
    (await import("./run-project-deletions.ts")).runProjectsRestore(project, options),
  );
}
