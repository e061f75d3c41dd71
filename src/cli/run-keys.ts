import { describeQuota } from "../quotas/describe-quota.ts";
import { createKey, type KeyInfo, listKeys, revokeKey } from "../store/keys/key-repository.ts";
import { readQuotas } from "../store/quotas/read-quotas.ts";
import { findProject } from "./find-project.ts";
import type { KeyOptions } from "./key-options.ts";
import { fail, print, printTable } from "./output.ts";
import { type LimitOptions, readChange } from "./quota-options.ts";
import { withModelNames } from "./run-quotas.ts";
import { withStore } from "./with-config.ts";

const DAY_MS = 86_400_000;

/** Creates a key and prints it; it works for the days that are given, or until it is revoked. */
export async function runKeysCreate(options: KeyOptions & LimitOptions): Promise<void> {
  const { name, expires, project, allow = [] } = options;
  await withStore(async (store, config) => {
    const change = readChange(options);
    const quota = change === undefined ? {} : { quota: withModelNames(change, config) };
    const expiry = expires === undefined ? {} : { expiresAt: new Date(Date.now() + expires * DAY_MS) };
    const { id: projectId } = await findProject(store, project);
    const { key } = await createKey(store, { name, projectId, permissions: allow, ...expiry, ...quota });
    print(key);
    process.stderr.write("Keep it: it is not shown again.\n");
  });
}

/** Prints all keys by their public ids. */
export async function runKeysList(): Promise<void> {
  await withStore(async (store) => {
    const quotas = await readQuotas(store, { kinds: ["key"] });
    const limits = new Map(quotas.map(({ owner, settings }) => [owner.name, describeQuota(settings)]));
    const rows = (await listKeys(store)).map((key) => describe(key, limits.get(key.publicId) ?? "-"));
    printTable(["PUBLIC ID", "NAME", "MAY", "LIMITS", "STATE", "CREATED", "LAST USED"], rows);
  });
}

/** Revokes a key by its public id, or by the whole key; ends the command if there is none. */
export async function runKeysRevoke(id: string): Promise<void> {
  await withStore(async (store) => {
    const publicId = /^att_([0-9a-z]{12})_/.exec(id)?.[1] ?? id;
    const revoked = await revokeKey(store, publicId);
    if (revoked === undefined) fail(`there is no key '${publicId}': 'attune keys list' lists them`);
    print(`revoked ${revoked.publicId} (${revoked.name})`);
  });
}

function describe(key: KeyInfo, limits: string): string[] {
  const may = key.permissions.length === 0 ? "-" : key.permissions.join(", ");
  const lastUsed = key.lastUsedAt?.toISOString() ?? "never";
  return [key.publicId, key.name, may, limits, describeState(key), key.createdAt.toISOString(), lastUsed];
}

/** Describes the state of a key for people. */
export function describeState({ revokedAt, expiresAt }: Pick<KeyInfo, "revokedAt" | "expiresAt">): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === null) return "active";
  return expiresAt.getTime() <= Date.now() ? "expired" : `active until ${expiresAt.toISOString()}`;
}
