import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Key } from "../../gen/attune/admin/v1/key_pb.ts";
import { describeQuota, toWrittenQuota } from "../quotas/describe-quota.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { type RemoteOptions, readPages, withAdmin } from "./admin-client.ts";
import { changePaths, toLimits, toSettings } from "./admin-limits.ts";
import type { KeyOptions, KeyUpdateOptions } from "./key-options.ts";
import { fail, print, printJsonList, printTable } from "./output.ts";
import { type LimitOptions, readChange } from "./quota-options.ts";

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;

/** Creates a key and prints it; it works for the days that are given, or until it is revoked. */
export async function runKeysCreate(options: KeyOptions & LimitOptions & RemoteOptions): Promise<void> {
  const { name, expires, project = DEFAULT_PROJECT.id, allow = [], tag = {} } = options;
  await withAdmin(options, { project }, async (admin) => {
    const limits = toLimits(readChange(options) ?? {});
    const lifetime = expires === undefined ? {} : { lifetime: toDuration(expires * DAY_SECONDS) };
    const key = { name: name ?? "", permissions: [...allow], tags: { ...tag }, limits };
    const { secret, created, key: made } = await admin.createKey({ project, key, ...lifetime });
    if (!created) fail(`there is a key '${name}' already: 'attune keys rotate ${made?.id}' gives it a new secret`);
    showSecret(secret);
  });
}

/** Prints all keys by their public ids, the oldest first. */
export async function runKeysList(
  options: RemoteOptions & { readonly project?: string; readonly json?: true },
): Promise<void> {
  const { project, json } = options;
  await withAdmin(options, { project }, async (admin) => {
    const keys = await readPages(async (page) => {
      const { keys: items, nextPageToken } = await admin.listKeys({ project: project ?? "", ...page });
      return { items, nextPageToken };
    });
    if (json) return printJsonList(keys.toReversed().map(toJsonKey));
    const headings = ["PUBLIC ID", "NAME", "MAY", "TAGS", "LIMITS", "STATE", "CREATED", "LAST USED"];
    return printTable(headings, keys.toReversed().map(describe));
  });
}

/** Changes a key: its name, what it may do, when it ends and its limits. */
export async function runKeysUpdate(
  id: string,
  options: KeyUpdateOptions & LimitOptions & RemoteOptions,
): Promise<void> {
  const { name, allow, tag, expires } = options;
  const change = readChange(options);
  const paths = [
    ...(name === undefined ? [] : ["name"]),
    ...(allow === undefined ? [] : ["permissions"]),
    ...(tag === undefined ? [] : ["tags"]),
    ...(expires === undefined ? [] : ["expires_at"]),
    ...changePaths(change),
  ];
  if (paths.length === 0) fail("there is nothing to change: give a limit, such as --rpm 60, or another option");
  const ends = typeof expires === "number" ? new Date(Date.now() + expires * DAY_SECONDS * 1000) : undefined;
  const permissions = allow?.filter((permission) => permission !== "none");
  const update = {
    ...(name !== undefined && { name }),
    ...(permissions !== undefined && { permissions }),
    ...(tag !== undefined && tag !== "none" && { tags: { ...tag } }),
    ...(ends !== undefined && { expiresAt: timestampFromDate(ends) }),
    ...(change !== undefined && { limits: toLimits(change) }),
  };
  const publicId = publicIdOf(id);
  await withAdmin(options, { id: publicId }, async (admin) => {
    const { key } = await admin.updateKey({ id: publicId, update, updateMask: { paths } });
    if (key !== undefined) print(`key ${key.id}: ${limitsOf(key)}`);
  });
}

/** Gives a key a new secret and prints it; the former one works on for some hours. */
export async function runKeysRotate(id: string, options: RemoteOptions & { readonly overlap: number }): Promise<void> {
  const publicId = publicIdOf(id);
  await withAdmin(options, { id: publicId }, async (admin) => {
    const overlap = toDuration(options.overlap * HOUR_SECONDS);
    const { secret } = await admin.rotateKey({ id: publicId, overlap });
    showSecret(secret);
  });
}

/** Revokes a key by its public id, or by the whole key; ends the command if there is none. */
export async function runKeysRevoke(id: string, options: RemoteOptions): Promise<void> {
  const publicId = publicIdOf(id);
  await withAdmin(options, { id: publicId }, async (admin) => {
    const { key } = await admin.revokeKey({ id: publicId });
    print(`revoked ${publicId} (${key?.name})`);
  });
}

/** Returns the public id of a key that is given by it, or whole. */
export function publicIdOf(id: string): string {
  return /^att_([0-9a-z]{12})_/.exec(id)?.[1] ?? id;
}

function showSecret(secret: string): void {
  print(secret);
  process.stderr.write("Keep it: it is not shown again.\n");
}

function toDuration(seconds: number) {
  return { seconds: BigInt(Math.round(seconds)), nanos: 0 };
}

function limitsOf({ limits }: Key): string {
  return describeQuota(toSettings(limits)) || "no limits";
}

function toJsonKey(key: Key) {
  const { id, projectId, name, permissions, tags, limits } = key;
  return {
    ...{ id, projectId, name, permissions, tags, limits: toWrittenQuota(toSettings(limits)) },
    ...{ createdAt: timeOf(key.createdAt), expiresAt: timeOf(key.expiresAt) },
    ...{ revokedAt: timeOf(key.revokedAt), lastUsedAt: timeOf(key.lastUsedAt) },
  };
}

function describe(key: Key): string[] {
  const may = key.permissions.length === 0 ? "-" : key.permissions.join(", ");
  const limits = limitsOf(key).replace("no limits", "-");
  const [created, lastUsed] = [timeOf(key.createdAt), timeOf(key.lastUsedAt)];
  const state = describeState({ revokedAt: timeOf(key.revokedAt), expiresAt: timeOf(key.expiresAt) });
  const tags = Object.entries(key.tags).map(([name, value]) => `${name}=${value}`);
  const known = [key.id, key.name, may, tags.join(", ") || "-", limits, state];
  return [...known, created?.toISOString() ?? "", lastUsed?.toISOString() ?? "never"];
}

function timeOf(time: Timestamp | undefined): Date | null {
  return time === undefined ? null : timestampDate(time);
}

/** Describes the state of a key for people. */
export function describeState({
  revokedAt,
  expiresAt,
}: {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
}): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === null) return "active";
  return expiresAt.getTime() <= Date.now() ? "expired" : `active until ${expiresAt.toISOString()}`;
}
