import { createAdminKey, listAdminKeys, revokeAdminKey } from "../store/admin-keys/admin-key-repository.ts";
import { listProjects } from "../store/dashboard/projects.ts";
import { findProject } from "./find-project.ts";
import type { JsonOptions } from "./json-option.ts";
import type { AdminKeyOptions } from "./key-options.ts";
import { fail, print, printJsonList, printTable } from "./output.ts";
import { describeState } from "./run-keys.ts";
import { withStore } from "./with-config.ts";

const DAY_MS = 86_400_000;

/** Creates an admin key and prints it. */
export async function runAdminKeysCreate({ name, allow, project, expires }: AdminKeyOptions): Promise<void> {
  await withStore(async (store) => {
    const projectId = project === undefined ? undefined : (await findProject(store, project)).id;
    const expiresAt = expires === undefined ? null : new Date(Date.now() + expires * DAY_MS);
    const { key } = await createAdminKey(store, { name, scopes: allow, projectId, expiresAt });
    print(key);
    process.stderr.write("Keep it: it is not shown again.\n");
  });
}

/** Prints all admin keys by their public ids. */
export async function runAdminKeysList({ json }: JsonOptions): Promise<void> {
  await withStore(async (store) => {
    const keys = await listAdminKeys(store);
    if (json) return printJsonList(keys.map(toJsonKey));
    const names = new Map((await listProjects(store)).map(({ id, name }) => [id, name]));
    const rows = keys.map((key) => [
      ...[key.publicId, key.name, key.scopes.join(" ")],
      key.projectId === undefined ? "all" : (names.get(key.projectId) ?? key.projectId),
      ...[describeState(key), key.createdAt.toISOString(), key.lastUsedAt?.toISOString() ?? "never"],
    ]);
    printTable(["PUBLIC ID", "NAME", "MAY", "PROJECT", "STATE", "CREATED", "LAST USED"], rows);
  });
}

function toJsonKey(key: Awaited<ReturnType<typeof listAdminKeys>>[number]) {
  const { publicId: id, name, scopes, projectId = null, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  return { id, name, scopes, projectId, createdAt, expiresAt, revokedAt, lastUsedAt };
}

/** Revokes an admin key by its public id, or by the whole key; ends the command if there is none. */
export async function runAdminKeysRevoke(id: string): Promise<void> {
  await withStore(async (store) => {
    const publicId = /^attadmin_([0-9a-z]{12})_/.exec(id)?.[1] ?? id;
    const revoked = await revokeAdminKey(store, publicId);
    if (revoked === undefined) fail(`there is no admin key '${publicId}': 'attune admin-keys list' lists them`);
    print(`revoked ${revoked.publicId} (${revoked.name})`);
  });
}
