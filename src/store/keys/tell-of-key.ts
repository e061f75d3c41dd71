import type { InferEntity } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { createExecutor } from "../database/executor.ts";
import type { ApiKey } from "../entities/api-key.ts";
import type { Engine } from "../types/store.ts";
import { query } from "../types/tables.ts";

/** Tells all processes that a key has changed, under each of its secrets. */
export async function tellOfSecrets(
  em: SqlEntityManager,
  engine: Engine,
  { hash, previousHash }: Pick<InferEntity<typeof ApiKey>, "hash" | "previousHash">,
): Promise<void> {
  await tellOfKey(em, engine, hash);
  if (previousHash) await tellOfKey(em, engine, previousHash);
}

/** Tells all processes that what the hash of a secret stands for has changed. */
export async function tellOfKey(em: SqlEntityManager, engine: Engine, hash: string): Promise<void> {
  await notifyChange(createExecutor(query(em)), engine, { channel: CHANNELS.keys, payload: hash });
}
