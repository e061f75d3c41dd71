import type { Document, DocumentProject, DocumentQuotas } from "../../../gen/attune/admin/v1/document_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { endUserProblem, writtenTagProblem } from "../../quotas/owner-name.ts";
import type { QuotaKind } from "../../quotas/quota.ts";
import { findProject, lockProject } from "../../store/administration/find-project.ts";
import { createProjects } from "../../store/dashboard/projects.ts";
import { alreadyExists, readProjectName } from "../checks.ts";
import { type AppliedProject, type ApplyContext, atPlace, checkUnique } from "./context.ts";
import { applyKeys } from "./keys.ts";
import { applyLearning } from "./learning.ts";
import { applyLimits } from "./limits.ts";
import { applyMembers } from "./members.ts";
import { applySettings } from "./settings.ts";

/**
 * Applies a document, kind by kind: all others who lock several rows lock projects before accounts, and both before
 * limits. `pruned` are ids of the projects of which something may be removed.
 */
export async function applyDocument(
  context: ApplyContext,
  document: Document | undefined,
  pruned: readonly string[],
): Promise<void> {
  await atPlace(
    (place) => `document.${place}`,
    () => applyAll(context, document?.projects ?? [], { quotas: document?.quotas, pruned }),
  );
}

async function applyAll(
  context: ApplyContext,
  projects: readonly DocumentProject[],
  { quotas, pruned }: { readonly quotas: DocumentQuotas | undefined; readonly pruned: readonly string[] },
): Promise<void> {
  checkUnique(
    projects,
    ({ name }) => name.trim(),
    (at) => `projects[${at}].name`,
  );
  const applied = await applyProjects(context, projects, pruned);
  const each = async (apply: (applied: AppliedProject, project: DocumentProject) => Promise<void>) => {
    for (const [at, project] of projects.entries()) {
      const found = applied[at];
      if (found !== undefined) await apply(found, project);
    }
  };
  await each((found, { members }) => applyMembers(context, found, members));
  await each((found, { keys }) => applyKeys(context, found, keys));
  await each((found, project) => applyProjectLimits(context, found, project));
  await each((found, project) => applyProjectLearning(context, found, project));
  await each((found, project) => applySettings(context, found, project));
  await applyQuotas(context, quotas);
  context.cleared.check();
}

async function applyProjects(
  { work, ledger }: ApplyContext,
  projects: readonly DocumentProject[],
  pruned: readonly string[],
): Promise<readonly AppliedProject[]> {
  const names = projects.map(({ name }, at) => readProjectName(name, `projects[${at}].name`));
  const known = new Map<string, string>();
  for (const name of names) {
    const found = await findProject(work.store, name);
    if (found !== undefined) known.set(name, found.id);
  }
  for (const id of [...new Set([...known.values(), ...pruned])].sort()) await lockProject(work.store, id);
  const applied: AppliedProject[] = [];
  for (const [at, name] of names.entries()) {
    const place = `projects[${at}]`;
    const id = known.get(name) ?? (await createProjects(work.store).create(name))?.id;
    if (id === undefined) throw alreadyExists(`${place}.name`, "was taken at the same time: try again");
    const item = { kind: "project", projectId: id, name: "" } as const;
    await ledger.note({ item, project: name, title: name, place, before: known.has(name) ? {} : null, after: {} });
    applied.push({ id, name, place });
  }
  return applied;
}

async function applyProjectLimits(
  context: ApplyContext,
  { id: projectId, name: project, place }: AppliedProject,
  { limits, eachKey, eachEndUser, endUsers, tags }: DocumentProject,
): Promise<void> {
  checkUnique(
    endUsers,
    ({ id }) => id,
    (at) => `${place}.end_users[${at}].id`,
  );
  checkUnique(
    tags,
    ({ tag }) => tag,
    (at) => `${place}.tags[${at}].tag`,
  );
  const set = (kind: QuotaKind, name: string, wanted: { limits: typeof limits; place: string }) =>
    applyLimits(context, { owner: { kind, projectId, name }, project, ...wanted });
  await set("project", "", { limits, place: `${place}.limits` });
  await set("key", "", { limits: eachKey, place: `${place}.each_key` });
  await set("endUser", "", { limits: eachEndUser, place: `${place}.each_end_user` });
  for (const [at, each] of endUsers.entries()) {
    const where = `${place}.end_users[${at}]`;
    check(endUserProblem(each.id), `${where}.id`);
    await set("endUser", each.id, { limits: each.limits, place: `${where}.limits` });
  }
  for (const [at, each] of tags.entries()) {
    const where = `${place}.tags[${at}]`;
    check(writtenTagProblem(each.tag), `${where}.tag`);
    await set("tag", each.tag, { limits: each.limits, place: `${where}.limits` });
  }
}

function check(problem: string | undefined, place: string): void {
  if (problem !== undefined) throw InferenceError.invalid(place, problem);
}

async function applyProjectLearning(
  context: ApplyContext,
  project: AppliedProject,
  { learning, workloads }: DocumentProject,
): Promise<void> {
  const { place } = project;
  await applyLearning(context, project, { learning, place });
  const { modelOf } = context.work;
  const where = (at: number) => `${place}.workloads[${at}]`;
  checkUnique(
    workloads,
    ({ model }) => modelOf(model) ?? model,
    (at) => `${where(at)}.model`,
  );
  for (const [at, { model, learning: settings }] of workloads.entries()) {
    await applyLearning(context, project, { model, learning: settings, place: where(at) });
  }
}

async function applyQuotas(context: ApplyContext, quotas: DocumentQuotas | undefined): Promise<void> {
  const set = (kind: QuotaKind, limits: DocumentQuotas["installation"], place: string) =>
    applyLimits(context, { owner: { kind, projectId: "", name: "" }, project: "", limits, place: `quotas.${place}` });
  await set("installation", quotas?.installation, "installation");
  await set("project", quotas?.eachProject, "each_project");
  await set("key", quotas?.eachKey, "each_key");
  await set("endUser", quotas?.eachEndUser, "each_end_user");
}
