import { type Command, InvalidArgumentError, Option } from "commander";
import { BODY_POLICIES } from "../store/bodies/body-policy.ts";
import type { RemoteOptions } from "./admin-client.ts";
import { addJsonList, addJsonObject, type JsonOptions } from "./json-option.ts";
import { readName } from "./keys.ts";
import { addLimitOptions, type LimitOptions } from "./quota-options.ts";
import { addRemoteOption, REMOTE_HELP } from "./remote-option.ts";
import type { SettingsArguments } from "./run-project-settings.ts";

/** The names of a deletion, where programs read them. */
export const DELETION_MEMBERS = [
  ...["projectId", "name", "state", "requestedBy", "requestedAt", "dueAt", "endedAt"],
  ...["inferences", "feedback", "conversations"],
];

/** Adds `attune projects list|create|update|settings|delete|restore`. */
export function addProjectsCommand(program: Command): void {
  const projects = program
    .command("projects")
    .description("manage projects and their limits")
    .addHelpText("after", REMOTE_HELP);
  const list = projects
    .command("list")
    .description("list projects with their limits")
    .option("--deleted", `those that were deleted, with how far that is; with --json ${DELETION_MEMBERS.join(", ")}`);
  addRemoteOption(addJsonList(list, ["id", "name", "createdAt", "limits"])).action(
    async ({ deleted, ...options }: RemoteOptions & JsonOptions & { deleted?: true }) =>
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
  addSettings(projects);
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

function addSettings(projects: Command): void {
  const settings = projects
    .command("settings")
    .description("show the settings of a project, after setting those that are given")
    .argument("<project>", "its id or name")
    .addOption(new Option("--bodies <policy>", "what is kept of requests and answers").choices(BODY_POLICIES))
    .option("--alias <name=model>", "name of its own for a model, or NAME= to take it away; several times", readAlias);
  const members = ["projectId", "name", "bodies", "disabledOptimizations", "aliases"];
  addRemoteOption(addJsonObject(settings, members)).action(async (project: string, options: SettingsArguments) =>
    (await import("./run-project-settings.ts")).runProjectSettings(project, options),
  );
}

function readAlias(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("must be a name and a model, such as fast=claude-haiku-5-5");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
