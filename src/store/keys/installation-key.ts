import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Store } from "../types/store.ts";

/** The row of the only key: a second one would let keys be changed while what the first has signed is still taken. */
const ROW = 1;
const SECRET_BYTES = 32;

/**
 * Returns the secret of the installation, which is made at its first start: of processes that start at once the first
 * one's is kept, and all return it. Rejects where it cannot be read, or is not there yet and the database takes no
 * writes.
 */
export async function openInstallationKey(store: Store): Promise<KeyObject> {
  const known = await readSecret(store);
  if (known !== undefined) return toKey(known);
  const row = { id: ROW, secret: randomBytes(SECRET_BYTES).toString("base64url"), createdAt: new Date() };
  await store
    .query()
    .insertInto("InstallationKey")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  return toKey((await readSecret(store)) ?? row.secret);
}

/** Returns an id of the database that has a secret, which tells nothing of it. */
export function getDatabaseId(key: KeyObject): string {
  return createHmac("sha256", key).update("database id").digest("hex").slice(0, 16);
}

async function readSecret(store: Store): Promise<string | undefined> {
  const found = await store.query().selectFrom("InstallationKey").select("secret").where("id", "=", ROW).execute();
  return found[0]?.secret;
}

/** A key object shows nothing of its secret where it is printed. */
function toKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, "base64url"));
}
