import type { Limits } from "../../gen/attune/admin/v1/limits_pb.ts";
import { QuotaKind as KindMessage } from "../../gen/attune/quota/v1/quota_pb.ts";
import { QUOTA_KINDS, readQuotaKind } from "../operations/quotas.ts";
import { describeOwner, describeQuota, toWrittenQuota } from "../quotas/describe-quota.ts";
import type { QuotaKind } from "../quotas/quota.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { type AdminClient, readPages, readProjects } from "./admin-client.ts";
import { choice, flag, option, type ValuesOf } from "./command.ts";
import { findKeyId } from "./find-key.ts";
import { toPublicId } from "./key-options.ts";
import { type LimitValues, listChangedPaths, readChange, toLimits, toSettings } from "./limit-options.ts";
import { fail, print, printJsonList, printTable } from "./output.ts";

/** The options that name the owner of a quota. */
export const OWNER_OPTIONS = {
  installation: flag("all calls of the installation"),
  project: option("project", "id or name of a project; with --end-user and --tag the default one if absent"),
  key: option("key", "name or public id of a key", toPublicId),
  endUser: option("id", "an end user of the project"),
  tag: option("tag", "calls of the project with a tag, such as team=search"),
  each: choice("kind", "each one without a limit of its own, of the project, or of all if absent", [
    "project",
    "key",
    "end-user",
  ]),
};

/** The owner of a quota as it is named on the command line. */
type OwnerValues = Partial<ValuesOf<typeof OWNER_OPTIONS>>;

/** The names of a quota where programs read it. */
export const QUOTA_MEMBERS = ["kind", "projectId", "name", "limits"];

interface ListOptions {
  readonly project: string | undefined;
  readonly kind?: QuotaKind;
  readonly json: boolean;
}

/** Prints the quotas that are set, of one project or of all. */
export async function listQuotas(admin: AdminClient, { project, kind, json }: ListOptions): Promise<void> {
  const filter = { project: project ?? "", kind: kind === undefined ? KindMessage.UNSPECIFIED : QUOTA_KINDS[kind] };
  const found = await readPages("quotas", (page) => admin.listQuotas({ ...filter, ...page }));
  const quotas = found.map(({ kind: of, projectId, name, limits }) => ({
    owner: { kind: readQuotaKind(of), projectId, name },
    settings: toSettings(limits),
  }));
  if (json) return printJsonList(quotas.map(({ owner, settings }) => ({ ...owner, limits: toWrittenQuota(settings) })));
  const names = new Map((await readProjects(admin)).map(({ id, name }) => [id, name]));
  const rows = quotas.map(({ owner, settings }) => [
    names.get(owner.projectId) ?? (owner.projectId || "-"),
    describeOwner(owner),
    describeQuota(settings),
  ]);
  printTable(["PROJECT", "OWNER", "LIMITS"], rows);
}

/** Sets the limits that are given, and prints what the owner has then. */
export async function setQuota(admin: AdminClient, named: OwnerValues, options: LimitValues): Promise<void> {
  const change = readChange(options) ?? fail("there is nothing to set: give a limit, such as --rpm 60");
  const owner = await findOwner(admin, readOwner(named));
  const updateMask = { paths: [...listChangedPaths(change)] };
  const { quota } = await admin.setQuota({ ...toMessage(owner), limits: toLimits(change), updateMask });
  printQuota(owner, quota?.limits);
}

/** Takes all limits of an owner away. */
export async function clearQuota(admin: AdminClient, named: OwnerValues): Promise<void> {
  const owner = await findOwner(admin, readOwner(named));
  await admin.removeQuota(toMessage(owner));
  printQuota(owner, undefined);
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

/** Returns what is wrong with the options that name an owner: they name nobody, or several. */
export function findOwnerMistake({ installation, project, key, endUser, tag, each }: OwnerValues): string | undefined {
  const named = [installation || undefined, key, endUser, tag, each].filter((value) => value !== undefined);
  if (named.length > 1 || (named.length === 0 && project === undefined)) {
    return "give one of --installation, --project, --key, --end-user, --tag and --each";
  }
  if (project === undefined) return undefined;
  if (installation) return "--installation goes without --project";
  return each === "project" ? "--each project goes without --project" : undefined;
}

/** Reads whom the options name. */
function readOwner({ installation = false, project, key, endUser, tag, each }: OwnerValues): NamedOwner {
  if (installation) return { kind: "installation", project: "", name: "" };
  if (each === "project") return { kind: "project", project: "", name: "" };
  // A key has one project, and what goes for each is of all projects where none is named.
  if (key !== undefined) return { kind: "key", project: project ?? "", name: key };
  if (each !== undefined) return { kind: each === "key" ? "key" : "endUser", project: project ?? "", name: "" };
  if (endUser !== undefined) return { kind: "endUser", project: project ?? DEFAULT_PROJECT.id, name: endUser };
  if (tag !== undefined) return { kind: "tag", project: project ?? DEFAULT_PROJECT.id, name: tag };
  return { kind: "project", project: project ?? "", name: "" };
}

async function findOwner(admin: AdminClient, owner: NamedOwner): Promise<NamedOwner> {
  if (owner.kind !== "key" || owner.name === "") return owner;
  return { ...owner, name: await findKeyId(admin, owner.name) };
}
