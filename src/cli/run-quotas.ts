import { createCatalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import { describeOwner, describeQuota, toWrittenQuota } from "../quotas/describe-quota.ts";
import type { QuotaKind, QuotaOwner } from "../quotas/quota.ts";
import { type QuotaChange, replaceQuota } from "../quotas/quota-settings.ts";
import { listProjects } from "../store/dashboard/projects.ts";
import { findKey } from "../store/keys/key-repository.ts";
import { readQuotas } from "../store/quotas/read-quotas.ts";
import { writeQuota } from "../store/quotas/write-quota.ts";
import type { Store } from "../store/types/store.ts";
import { findProject } from "./find-project.ts";
import { fail, print, printTable } from "./output.ts";
import { type LimitOptions, type OwnerOptions, readChange } from "./quota-options.ts";
import { withStore } from "./with-config.ts";

/** The options of a list of quotas. */
interface ListOptions {
  readonly project?: string;
  readonly kinds?: readonly QuotaKind[];
  readonly json?: true;
}

/** Prints the quotas that are set, of one project or of all. */
export async function runQuotasList({ project, kinds, json }: ListOptions): Promise<void> {
  await withStore(async (store) => {
    const projectId = project === undefined ? undefined : (await findProject(store, project)).id;
    const quotas = await readQuotas(store, {
      ...(projectId !== undefined && { projectId }),
      ...(kinds !== undefined && { kinds }),
    });
    const names = new Map((await listProjects(store)).map(({ id, name }) => [id, name]));
    if (json) {
      const data = quotas.map(({ owner, settings }) => ({ ...owner, limits: toWrittenQuota(settings) }));
      print(JSON.stringify({ data }));
      return;
    }
    const rows = quotas.map(({ owner, settings }) => [
      names.get(owner.projectId) ?? (owner.projectId || "-"),
      describeOwner(owner),
      describeQuota(settings),
    ]);
    printTable(["PROJECT", "OWNER", "LIMITS"], rows);
  });
}

/** Sets the limits that are given, and prints what the owner has then. */
export async function runQuotasSet(owner: OwnerOptions, limits: LimitOptions): Promise<void> {
  const change = readChange(limits) ?? fail("there is nothing to set: give a limit, such as --rpm 60");
  await changeQuota(owner, change);
}

/** Takes all limits of an owner away. */
export async function runQuotasClear(owner: OwnerOptions): Promise<void> {
  await changeQuota(owner, replaceQuota({}));
}

async function changeQuota(options: OwnerOptions, change: QuotaChange): Promise<void> {
  await withStore(async (store, config) => {
    const owner = await findOwner(store, options);
    const settings = await writeQuota(store, { owner, change: withModelNames(change, config) });
    print(`${describeOwner(owner)}: ${describeQuota(settings) || "no limits"}`);
  });
}

/** Returns a change whose models have their own names; ends the command where there are none of a name. */
export function withModelNames(change: QuotaChange, { models, prefix }: Config): QuotaChange {
  if (!change.models) return change;
  const catalog = createCatalog(models, prefix);
  const unknown = change.models.filter((name) => catalog.find(name) === undefined);
  if (unknown.length > 0) {
    const known = models.map(({ name }) => name).join(", ");
    fail(`there is no model ${unknown.map((name) => `'${name}'`).join(", ")}: the models are ${known}`);
  }
  return { ...change, models: [...new Set(change.models.map((name) => catalog.find(name)?.name ?? name))] };
}

/** Finds whom the options name; ends the command where they name nobody, or several. */
async function findOwner(store: Store, options: OwnerOptions): Promise<QuotaOwner> {
  const { installation, project, key, endUser, tag, each } = options;
  const named = [installation, key, endUser, tag, each].filter((value) => value !== undefined);
  if (named.length > 1 || (named.length === 0 && project === undefined)) {
    fail("give one of --installation, --project, --key, --end-user, --tag and --each");
  }
  if (installation) {
    if (project !== undefined) fail("--installation goes without --project");
    return { kind: "installation", projectId: "", name: "" };
  }
  if (key !== undefined) return await findKeyOwner(store, key, project);
  if (each === "project") {
    if (project !== undefined) fail("--each project goes without --project");
    return { kind: "project", projectId: "", name: "" };
  }
  // What goes for each is of all projects where none is named.
  const projectId = each !== undefined && project === undefined ? "" : (await findProject(store, project)).id;
  if (endUser !== undefined) return { kind: "endUser", projectId, name: endUser };
  if (tag !== undefined) return { kind: "tag", projectId, name: tag };
  if (each !== undefined) return { kind: each === "key" ? "key" : "endUser", projectId, name: "" };
  return { kind: "project", projectId, name: "" };
}

async function findKeyOwner(store: Store, id: string, project: string | undefined): Promise<QuotaOwner> {
  const publicId = /^att_([0-9a-z]{12})_/.exec(id)?.[1] ?? id;
  const found = await findKey(store, publicId);
  const isOther = project !== undefined && found?.projectId !== (await findProject(store, project)).id;
  if (found === undefined || isOther) fail(`there is no key '${publicId}': 'attune keys list' lists them`);
  return { kind: "key", projectId: found.projectId, name: publicId };
}
