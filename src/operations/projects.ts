import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Project, ProjectSchema } from "../../gen/attune/admin/v1/project_pb.ts";
import { InferenceError } from "../hub/error.ts";
import type { QuotaSettings } from "../quotas/quota.ts";
import { isUnlimited } from "../quotas/quota-settings.ts";
import { findProject, lockProject, type ProjectInfo } from "../store/administration/find-project.ts";
import { listProjectPage } from "../store/administration/list-pages.ts";
import { createAccounts } from "../store/dashboard/accounts.ts";
import { NO_SETTINGS, readProjectSettings, type SetSettings } from "../store/dashboard/project-settings.ts";
import { createProjects } from "../store/dashboard/projects.ts";
import { readQuotas } from "../store/quotas/read-quotas.ts";
import { writeQuota } from "../store/quotas/write-quota.ts";
import { checkPermission, isPerson } from "./actor.ts";
import { alreadyExists, checkEtag, createEtag, notFound, readProjectName } from "./checks.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import { isLimitSet, isSameQuota, LIMIT_PATHS, limitsChange, limitsToQuota, quotaToLimits } from "./limits.ts";
import { readPageSize, toPage } from "./page.ts";
import {
  changedSettings,
  isSameSettings,
  isSettingSet,
  messageToSettings,
  SETTINGS_PATHS,
  setSettings,
  settingsToMessage,
} from "./project-settings.ts";
import { readMask } from "./update-mask.ts";

const LIMITED = "are set by who runs the service";

const PATHS = ["name", ...LIMIT_PATHS, ...SETTINGS_PATHS];

/** A project with its limits and settings. */
interface LimitedProject extends ProjectInfo {
  readonly limits: QuotaSettings;
  readonly settings: SetSettings;
}

/** The operations on projects. */
export const projectHandlers: Handlers<"listProjects" | "getProject" | "createProject" | "updateProject"> = {
  async listProjects(work, { pageSize, pageToken, name }) {
    const size = readPageSize(pageSize);
    const query = { after: pageToken.toLowerCase(), most: size + 1, name, projectId: work.actor.projectId };
    const { items, nextPageToken } = toPage(await listProjectPage(work.store, query), size);
    return { projects: (await withLimits(work, items)).map(projectToMessage), nextPageToken };
  },

  async getProject(work, { project }) {
    return { project: projectToMessage(await withLimit(work, await findOwnProject(work, project))) };
  },

  async createProject(work, request) {
    const name = readProjectName(request.project?.name ?? "", "project.name");
    const limits = limitsToQuota(work, request.project?.limits, "project.limits");
    const settings = messageToSettings(work, { settings: request.project?.settings }, "project.settings");
    if (isPerson(work.actor) && !isUnlimited(limits)) {
      throw InferenceError.invalid("project.limits", LIMITED);
    }
    const existing = await findProject(work.store, name);
    if (existing !== undefined) {
      if (isPerson(work.actor)) throw alreadyExists("project.name", "is the name of another project");
      const project = await withLimit(work, existing);
      // What others have set stays where the request says nothing of settings.
      const isAsSet = request.project?.settings === undefined || isSameSettings(project.settings, settings);
      const isSame = isSameQuota(project.limits, limits) && isAsSet;
      if (isSame) return { project: projectToMessage(project) };
      throw alreadyExists("project.name", "is the name of a project with other limits or settings: update that one");
    }
    const created = await createProjects(work.store).create(name, await readOwner(work, request.owner), limits);
    if (created === undefined) throw alreadyExists("project.name", "is the name of another project");
    await setSettings(work, created.id, settings);
    return { project: projectToMessage(await readProject(work, created.id)), created: true };
  },

  async updateProject(work, request) {
    const { id } = await findOwnProject(work, request.project);
    const { update } = request;
    const paths = readMask(request.updateMask, PATHS, (path) => isSet(update, path));
    const before = await readProject(work, id);
    checkEtag(request.etag, etagOfProject(before));
    if (paths.includes("name")) {
      checkPermission(work.actor, "project.change");
      const isRenamed = await createProjects(work.store).rename(id, readProjectName(update?.name ?? "", "update.name"));
      if (!isRenamed) throw alreadyExists("update.name", "is the name of another project");
    }
    const change = limitsChange(limitsToQuota(work, update?.limits, "update.limits"), paths);
    const owner = { kind: "project", projectId: id, name: "" } as const;
    if (change !== undefined && isPerson(work.actor)) {
      throw InferenceError.invalid("update.limits", LIMITED);
    }
    if (change !== undefined) await writeQuota(work.store, { owner, change });
    const sentSettings = messageToSettings(
      work,
      { settings: update?.settings, before: before.settings },
      "update.settings",
    );
    await setSettings(work, id, changedSettings(before.settings, sentSettings, paths));
    return { project: projectToMessage(await readProject(work, id)) };
  },
};

/**
 * Returns the id of who makes a project for themselves, or else of the account of an address; undefined where there is
 * no address. Throws NOT_FOUND.
 */
async function readOwner({ store, actor }: Work, email: string): Promise<string | undefined> {
  if (isPerson(actor)) return actor.id;
  if (email === "") return undefined;
  const account = await createAccounts(store).findByEmail(email);
  if (account === undefined) throw notFound("owner", "account");
  return account.id;
}

function isSet(update: Project | undefined, path: string): boolean {
  if (path === "name") return (update?.name ?? "") !== "";
  return isSettingSet(update?.settings, path) || isLimitSet(update?.limits, path);
}

/** Reads a project that nobody else changes until the transaction ends. */
export async function readProject(work: Work, id: string): Promise<LimitedProject> {
  const project = await lockProject(work.store, id);
  if (project === undefined) throw notFound("project", "project");
  return await withLimit(work, project);
}

async function withLimit(work: Work, project: ProjectInfo): Promise<LimitedProject> {
  const [limited] = await withLimits(work, [project]);
  return limited ?? { ...project, limits: {}, settings: NO_SETTINGS };
}

async function withLimits({ store }: Work, projects: readonly ProjectInfo[]): Promise<readonly LimitedProject[]> {
  const ids = projects.map(({ id }) => id);
  const quotas = await readQuotas(store, { kinds: ["project"], projectIds: ids });
  const limits = new Map(quotas.map(({ owner, settings }) => [owner.projectId, settings]));
  const settings = await readProjectSettings(store, ids);
  return projects.map((project) => ({
    ...project,
    limits: limits.get(project.id) ?? {},
    settings: settings.get(project.id) ?? NO_SETTINGS,
  }));
}

/** Returns a project as responses have it. */
export function projectToMessage(project: LimitedProject): MessageInitShape<typeof ProjectSchema> {
  const { id, name, createdAt, limits, settings } = project;
  return {
    id,
    name,
    limits: quotaToLimits(limits),
    settings: settingsToMessage(settings),
    createdAt: timestampFromDate(createdAt),
    etag: etagOfProject(project),
  };
}

/** Returns a text that changes with all of a project that people change. */
export function etagOfProject({ id, name, limits, settings }: LimitedProject): string {
  return createEtag([id, name, limits, settings]);
}
