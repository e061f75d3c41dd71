import { createKey, type KeyInfo, listKeys, revokeKey } from "../store/keys/key-repository.ts";
import { fail, print, printTable } from "./output.ts";
import { withStore } from "./with-config.ts";

const DAY_MS = 86_400_000;

/** Creates a key and prints it; it works for `days`, or until it is revoked. */
export async function runKeysCreate(name: string, days: number | undefined): Promise<void> {
  await withStore(async (store) => {
    const expiry = days === undefined ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS) };
    const { key } = await createKey(store, { name, ...expiry });
    print(key);
    process.stderr.write("Keep it: it is not shown again.\n");
  });
}

/** Prints all keys by their public ids. */
export async function runKeysList(): Promise<void> {
  await withStore(async (store) => {
    const rows = (await listKeys(store)).map(describe);
    printTable(["PUBLIC ID", "NAME", "STATE", "CREATED", "LAST USED"], rows);
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

function describe(key: KeyInfo): string[] {
  return [key.publicId, key.name, stateOf(key), key.createdAt.toISOString(), key.lastUsedAt?.toISOString() ?? "never"];
}

function stateOf({ revokedAt, expiresAt }: KeyInfo): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === null) return "active";
  return expiresAt.getTime() <= Date.now() ? "expired" : `active until ${expiresAt.toISOString()}`;
}
