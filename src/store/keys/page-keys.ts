import { readRows } from "../database/executor.ts";
import { ApiKey } from "../entities/api-key.ts";
import type { Store } from "../types/store.ts";
import { type KeyInfo, toKeyInfo } from "./key-repository.ts";

/** The orders of keys. */
export const KEY_ORDERS = ["created", "name", "lastUsed"] as const;

/** The query of a page of a project's keys. */
export interface KeyPageQuery {
  readonly projectId: string;
  /** A part of the name, of the public id or of a tag such as `team=search`, in any case; undefined matches all. */
  readonly text?: string | undefined;
  /** True if keys that expired or were revoked are listed too. */
  readonly withEnded?: boolean;
  readonly order?: (typeof KEY_ORDERS)[number];
  /** Keys before the page. */
  readonly offset?: number;
  readonly limit: number;
}

/** A page of keys. */
export interface KeyPage {
  readonly keys: readonly KeyInfo[];
  /** All keys that match. */
  readonly total: number;
  /** Keys of the project that expired or were revoked. */
  readonly ended: number;
}

/** Orders of a page: the latest, or the first in the alphabet, comes first; keys that were never used come last. */
const ORDER_SQL: Record<(typeof KEY_ORDERS)[number], string> = {
  created: "created_at desc, id desc",
  name: "lower(name), id desc",
  lastUsed: "case when last_used_at is null then 1 else 0 end, last_used_at desc, id desc",
};

/** Reads a page of the keys of a project. */
export async function readKeyPage(store: Store, query: KeyPageQuery): Promise<KeyPage> {
  const { projectId, text, withEnded = false, order = "created", offset = 0, limit } = query;
  const now = store.engine === "postgres" ? new Date() : Date.now();
  const lasts = "revoked_at is null and (expires_at is null or expires_at > ?)";
  const [find, each] = store.engine === "postgres" ? ["strpos", "jsonb_each_text"] : ["instr", "json_each"];
  const wanted = text?.toLowerCase() ?? "";
  const named = `${find}(lower(name), ?) > 0 or ${find}(public_id, ?) > 0`;
  const tagged = `select 1 from ${each}(tags) as tag where ${find}(lower(tag.key || '=' || tag.value), ?) > 0`;
  const matches = `project_id = ? and (? = '' or ${named} or exists (${tagged}))`;
  const values = [projectId, wanted, wanted, wanted, wanted];
  const [sql, all] = withEnded ? [matches, values] : [`${matches} and ${lasts}`, [...values, now]];
  const count = async (condition: string, of: readonly unknown[]) => {
    const rows = await readRows<{ count: number | string }>(
      store,
      `select count(*) as count from api_key where ${condition}`,
      of,
    );
    return Number(rows[0]?.count ?? 0);
  };
  const [ids, total, ended] = await Promise.all([
    readRows<{ id: string }>(
      store,
      `select id from api_key where ${sql} order by ${ORDER_SQL[order]} limit ? offset ?`,
      [...all, limit, offset],
    ),
    count(sql, all),
    count(`project_id = ? and not (${lasts})`, [projectId, now]),
  ]);
  return { keys: await readInOrder(store, ids), total, ended };
}

async function readInOrder(store: Store, ids: readonly { readonly id: string }[]): Promise<KeyInfo[]> {
  const keys = await store.fork().find(ApiKey, { id: { $in: ids.map(({ id }) => id) } });
  const byId = new Map(keys.map((key) => [key.id, toKeyInfo(key)]));
  return ids.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Reads the names of keys of a project by their public ids; unknown ones are left out. */
export async function readKeyNames(
  store: Store,
  projectId: string,
  publicIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (publicIds.length === 0) return new Map();
  const list = publicIds.map(() => "?").join(", ");
  const rows = await readRows<{ id: string; name: string }>(
    store,
    `select public_id as id, name from api_key where public_id in (${list}) and project_id = ?`,
    [...publicIds, projectId],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
