import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import {
  BodyPolicy,
  BodyPolicySchema,
  DeletionState,
  type Project,
  type ProjectDeletion,
} from "../../../gen/attune/admin/v1/project_pb.ts";
import { enumWord } from "../../lib/protobuf/enum-word.ts";
import { describeQuota, toWrittenQuota } from "../../quotas/describe-quota.ts";
import { BODY_POLICIES } from "../../store/bodies/body-policy.ts";
import { type AdminClient, defineAdminCommand, readPages, readProjects } from "../admin-client.ts";
import { argument, type CommandGroup, choice, flag, option, UsageError } from "../command.ts";
import { LIMIT_OPTIONS, readChange, toLimits, toSettings } from "../limit-options.ts";
import { json, SERVICE_HELP } from "../options.ts";
import { fail, print, printJson, printJsonList, printTable } from "../output.ts";
import { changeSettings, readProject } from "../project-settings.ts";
import { setQuota } from "../quota-owner.ts";

const DELETION_MEMBERS = [
  ...["projectId", "name", "state", "requestedBy", "requestedAt", "dueAt", "endedAt"],
  ...["inferences", "feedback", "conversations"],
];

/** `attune projects`. */
export const projects: CommandGroup = {
  help: SERVICE_HELP,
  commands: {
    list: defineAdminCommand({
      summary: "list projects with their limits",
      options: {
        deleted: flag(`deleted projects with their progress; with --json ${DELETION_MEMBERS.join(", ")}`),
        ...json("list", ["id", "name", "createdAt", "limits"]),
      },
      async run(admin, { deleted, json: isJson }) {
        await (deleted ? listDeletions(admin, isJson) : listProjects(admin, isJson));
      },
    }),

    create: defineAdminCommand({
      summary: "create a project",
      arguments: { name: argument("name of the project") },
      options: {
        owner: option("email", "account that owns it on the dashboard; if absent, nobody sees it there"),
        ...LIMIT_OPTIONS,
      },
      async run(admin, { name, owner, ...options }) {
        const limits = toLimits(readChange(options) ?? {});
        const { project, created } = await admin.createProject({ project: { name, limits }, owner: owner ?? "" });
        if (!created) fail(`there is a project '${name}' already`);
        print(project?.id ?? "");
      },
    }),

    update: defineAdminCommand({
      summary: "set limits of a project; omitted limits keep their values",
      arguments: { project: argument("its id or name") },
      options: {
        each: choice("kind", "set limits of each of its keys, or end users, without limits of its own", [
          "key",
          "end-user",
        ]),
        ...LIMIT_OPTIONS,
      },
      async run(admin, { project, each, ...options }) {
        await setQuota(admin, { project, each }, options);
      },
    }),

    settings: defineAdminCommand({
      summary: "change settings of a project and show them all",
      arguments: { project: argument("its id or name") },
      options: {
        bodies: choice("policy", "storage of requests and answers", BODY_POLICIES),
        alias: option("name=model", "alias of a model, or NAME= to remove it; several times", readAlias),
        ...json("object", ["projectId", "name", "bodies", "disabledOptimizations", "aliases"]),
      },
      async run(admin, { project, bodies, alias = {}, json: isJson }) {
        const before = await readProject(admin, project);
        const isChange = bodies !== undefined || Object.keys(alias).length > 0;
        const after = isChange ? await changeSettings(admin, before, readSettings(before, bodies, alias)) : before;
        if (isJson) return printJson(toJsonSettings(after));
        const { settings } = after;
        print(`project ${after.name}`);
        print(`bodies: ${toWord(settings?.bodies)}`);
        print(`optimizations switched off: ${settings?.disabledOptimizations.join(", ") || "none"}`);
        const aliases = Object.entries(settings?.aliases ?? {}).map(([name, model]) => `${name}=${model}`);
        print(`aliases: ${aliases.join(", ") || "none"}`);
      },
    }),

    delete: defineAdminCommand({
      summary: "delete a project: its keys stop working immediately, and its data is deleted a day later",
      arguments: { project: argument("its id or name") },
      confirm: ({ project }) =>
        `Delete '${project}'? Its keys stop working immediately, and all its data is deleted a day later.`,
      async run(admin, { project }) {
        const { deletion } = await admin.deleteProject({ project });
        if (deletion === undefined) return;
        const { name, projectId, dueAt } = toDeletion(deletion);
        print(`deleted ${name}: 'attune projects restore ${projectId}' undoes it until ${dueAt}`);
      },
    }),

    restore: defineAdminCommand({
      summary: "undo the deletion of a project, within a day",
      arguments: { project: argument("its id or former name") },
      async run(admin, { project }) {
        const { project: restored } = await admin.restoreProject({ project });
        print(`restored ${restored?.name ?? ""}`);
      },
    }),
  },
};

async function listProjects(admin: AdminClient, isJson: boolean): Promise<void> {
  const found = (await readProjects(admin)).map(({ id, name, createdAt, limits }) => ({
    id,
    name,
    createdAt: createdAt === undefined ? null : timestampDate(createdAt),
    limits: toSettings(limits),
  }));
  if (isJson) return printJsonList(found.map((project) => ({ ...project, limits: toWrittenQuota(project.limits) })));
  printTable(
    ["ID", "NAME", "CREATED", "LIMITS"],
    found.map(({ id, name, createdAt, limits }) => [
      id,
      name,
      createdAt?.toISOString() ?? "",
      describeQuota(limits) || "-",
    ]),
  );
}

async function listDeletions(admin: AdminClient, isJson: boolean): Promise<void> {
  const found = await readPages("deletions", (page) => admin.listProjectDeletions(page));
  const deletions = found.map(toDeletion);
  if (isJson) return printJsonList(deletions);
  printTable(
    ["ID", "NAME", "DELETED", "BY", "STATE", "INFERENCES GONE"],
    deletions.map(({ projectId, name, requestedAt, requestedBy, state, inferences }) => [
      projectId,
      name,
      requestedAt,
      requestedBy,
      state,
      inferences.toLocaleString("en"),
    ]),
  );
}

const DELETION_STATES: Record<DeletionState, string> = {
  [DeletionState.UNSPECIFIED]: "",
  [DeletionState.WAITING]: "waiting",
  [DeletionState.RUNNING]: "running",
  [DeletionState.DONE]: "done",
  [DeletionState.FAILED]: "failed",
};

function toDeletion(deletion: ProjectDeletion) {
  const { projectId, name, state, requestedBy } = deletion;
  return {
    projectId,
    name,
    state: DELETION_STATES[state] ?? "",
    requestedBy,
    requestedAt: toTime(deletion.requestedAt) ?? "",
    dueAt: toTime(deletion.dueAt) ?? "",
    endedAt: toTime(deletion.endedAt),
    inferences: Number(deletion.inferences),
    feedback: Number(deletion.feedback),
    conversations: Number(deletion.conversations),
  };
}

function toTime(time: Timestamp | undefined): string | null {
  return time === undefined ? null : timestampDate(time).toISOString();
}

function toJsonSettings({ id: projectId, name, settings }: Project) {
  const { disabledOptimizations = [], aliases = {}, bodies } = settings ?? {};
  return { projectId, name, bodies: toWord(bodies), disabledOptimizations, aliases };
}

function readSettings(
  { settings }: Project,
  bodies: string | undefined,
  given: Readonly<Record<string, string>>,
): Parameters<typeof changeSettings>[2] {
  const aliases = Object.entries({ ...settings?.aliases, ...given }).filter(([, model]) => model !== "");
  return {
    ...(bodies !== undefined && { bodies: toPolicy(bodies) }),
    ...(Object.keys(given).length > 0 && { aliases: Object.fromEntries(aliases) }),
  };
}

function toWord(bodies: BodyPolicy = BodyPolicy.UNSPECIFIED): string {
  return enumWord(BodyPolicySchema, BodyPolicySchema.value[bodies]?.name ?? "") ?? "full";
}

function toPolicy(word: string): BodyPolicy {
  const policies = [BodyPolicy.FULL, BodyPolicy.REDACTED, BodyPolicy.NONE];
  return policies.find((policy) => toWord(policy) === word) ?? BodyPolicy.UNSPECIFIED;
}

function readAlias(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError("must be a name and a model, such as fast=claude-haiku-5-5");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
