import type { Limits } from "../../gen/attune/admin/v1/limits_pb.ts";
import { QuotaKind as KindMessage } from "../../gen/attune/quota/v1/quota_pb.ts";
import { kindOf, QUOTA_KINDS } from "../administration/quotas.ts";
import { describeOwner, describeQuota, toWrittenQuota } from "../quotas/describe-quota.ts";
import type { QuotaKind } from "../quotas/quota.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { type AdminClient, type RemoteOptions, readPages, readProjects, withAdmin } from "./admin-client.ts";
import { changePaths, toLimits, toSettings } from "./admin-limits.ts";
import { fail, print, printJsonList, printTable } from "./output.ts";
import { type LimitOptions, type OwnerOptions, readChange } from "./quota-options.ts";
import { publicIdOf } from "./run-keys.ts";

/** The options of a list of quotas. */
interface ListOptions extends RemoteOptions {
  readonly project?: string;
  readonly kind?: QuotaKind;
  readonly json?: true;
}

/** Prints the quotas that are set, of one project or of all. */
export async function runQuotasList(options: ListOptions): Promise<void> {
  await withAdmin(options, { project: options.project }, async (admin) => {
    const quotas = await readQuotas(admin, options);
    if (options.json) {
      const data = quotas.map(({ owner, settings }) => ({ ...owner, limits: toWrittenQuota(settings) }));
      return printJsonList(data);
    }
    const names = new Map((await readProjects(admin)).map(({ id, name }) => [id, name]));
    const rows = quotas.map(({ owner, settings }) => [
      names.get(owner.projectId) ?? (owner.projectId || "-"),
      describeOwner(owner),
      describeQuota(settings),
    ]);
    printTable(["PROJECT", "OWNER", "LIMITS"], rows);
  });
}

async function readQuotas(admin: AdminClient, { project = "", kind }: ListOptions) {
  const asked = { project, kind: kind === undefined ? KindMessage.UNSPECIFIED : QUOTA_KINDS[kind] };
  const quotas = await readPages(async (page) => {
    const { quotas: items, nextPageToken } = await admin.listQuotas({ ...asked, ...page });
    return { items, nextPageToken };
  });
  return quotas.map(({ kind: of, projectId, name, limits }) => ({
    owner: { kind: kindOf(of), projectId, name },
    settings: toSettings(limits),
  }));
}

/** Sets the limits that are given, and prints what the owner has then. */
export async function runQuotasSet(options: OwnerOptions & RemoteOptions, limits: LimitOptions): Promise<void> {
  const change = readChange(limits) ?? fail("there is nothing to set: give a limit, such as --rpm 60");
  const owner = readOwner(options);
  await withAdmin(options, namedBy(owner), async (admin) => {
    const updateMask = { paths: [...changePaths(change)] };
    const { quota } = await admin.setQuota({ ...toMessage(owner), limits: toLimits(change), updateMask });
    printQuota(owner, quota?.limits);
  });
}

/** Takes all limits of an owner away. */
export async function runQuotasClear(options: OwnerOptions & RemoteOptions): Promise<void> {
  const owner = readOwner(options);
  await withAdmin(options, namedBy(owner), async (admin) => {
    await admin.removeQuota(toMessage(owner));
    printQuota(owner, undefined);
  });
}

function printQuota(owner: NamedOwner, limits: Limits | undefined): void {
  const text = describeQuota(toSettings(limits)) || "no limits";
  print(`${describeOwner({ ...owner, projectId: owner.project })}: ${text}`);
}

/** The owner of a quota as people have named it. */
interface NamedOwner {
  readonly kind: QuotaKind;
  /** Id or name; empty for what goes for every project. */
  readonly project: string;
  readonly name: string;
}

function toMessage({ kind, project, name }: NamedOwner) {
  return { kind: QUOTA_KINDS[kind], project, name };
}

function namedBy({ kind, project, name }: NamedOwner) {
  return { project, ...(kind === "key" && { id: name, name }) };
}

/** Reads whom the options name; ends the command where they name nobody, or several. */
function readOwner(options: OwnerOptions): NamedOwner {
  const { installation, project, key, endUser, tag, each } = options;
  const named = [installation, key, endUser, tag, each].filter((value) => value !== undefined);
  if (named.length > 1 || (named.length === 0 && project === undefined)) {
    fail("give one of --installation, --project, --key, --end-user, --tag and --each");
  }
  if (installation || each === "project") {
    const kind = installation ? "installation" : "project";
    if (project !== undefined) fail(`--${installation ? kind : "each project"} goes without --project`);
    return { kind, project: "", name: "" };
  }
  // A key has one project, and what goes for each is of all projects where none is named.
  if (key !== undefined) return { kind: "key", project: project ?? "", name: publicIdOf(key) };
  if (each !== undefined) return { kind: each === "key" ? "key" : "endUser", project: project ?? "", name: "" };
  if (endUser !== undefined) return { kind: "endUser", project: project ?? DEFAULT_PROJECT.id, name: endUser };
  if (tag !== undefined) return { kind: "tag", project: project ?? DEFAULT_PROJECT.id, name: tag };
  return { kind: "project", project: project ?? "", name: "" };
}
