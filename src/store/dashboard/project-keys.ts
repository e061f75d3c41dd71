import { createKey, type KeyInfo, revokeKey } from "../keys/key-repository.ts";
import type { TimeRange } from "../read/queries/range.ts";
import { sumRollups } from "../read/queries/sum-rollups.ts";
import type { Store } from "../types/store.ts";

/** What the calls with one key add up to. */
export interface KeyUsage {
  readonly publicId: string;
  readonly calls: number;
  /** Sent, read from a cache and written into one, and answered. */
  readonly tokens: number;
  /** Calls whose cost is known; the cost is of these. */
  readonly pricedCalls: number;
  readonly costNanos: number;
}

/** API keys, each seen from its project. */
export interface ProjectKeys {
  /** The keys of a project, the latest first; revoked ones too. */
  list(projectId: string): Promise<KeyInfo[]>;
  /** Adds up the calls of each key that was used in a time, in whole hours. */
  usage(projectId: string, range: TimeRange): Promise<KeyUsage[]>;
  /** Creates a key. `key` is the whole of it, and is nowhere kept. */
  create(
    projectId: string,
    settings: { name: string; expiresAt: Date | undefined },
  ): Promise<{ key: string; info: KeyInfo }>;
  /** Revokes a key of the project, by its id. Resolves to undefined if there is no such key. */
  revoke(projectId: string, id: string): Promise<KeyInfo | undefined>;
}

const COLUMNS = ["id", "projectId", "publicId", "name", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"] as const;

const TOKENS = ["input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"];

/** Creates the keys of a database, as projects see them. */
export function createProjectKeys(store: Store): ProjectKeys {
  return {
    list: (projectId) =>
      store
        .query()
        .selectFrom("ApiKey")
        .select(COLUMNS)
        .where("projectId", "=", projectId)
        .orderBy("createdAt", "desc")
        .orderBy("id", "desc")
        .execute(),
    async usage(projectId, range) {
      const sums = ["calls", "priced_calls", "cost_nanos", ...TOKENS];
      const rows = await sumRollups(store, {
        ...{ rollup: "usage", projectId, range, bucket: "none", group: ["key_id"], sums },
      });
      return rows.map(({ group: [publicId = ""], sums: of }) => ({
        publicId,
        calls: of["calls"] ?? 0,
        tokens: TOKENS.reduce((tokens, column) => tokens + (of[column] ?? 0), 0),
        ...{ pricedCalls: of["priced_calls"] ?? 0, costNanos: of["cost_nanos"] ?? 0 },
      }));
    },
    create: (projectId, { name, expiresAt }) =>
      createKey(store, { projectId, name, ...(expiresAt === undefined ? {} : { expiresAt }) }),
    async revoke(projectId, id) {
      const found = await store
        .query()
        .selectFrom("ApiKey")
        .select("id")
        .where("projectId", "=", projectId)
        .where("id", "=", id)
        .executeTakeFirst();
      return found === undefined ? undefined : await revokeKey(store, found.id);
    },
  };
}
