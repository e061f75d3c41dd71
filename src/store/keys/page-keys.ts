import { foldCase } from "../../lib/fold-case.ts";
import { readRows } from "../database/executor.ts";
import { ApiKey } from "../entities/api-key.ts";
import { toPattern } from "../read/queries/to-pattern.ts";
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
  const { projectId, text = "", withEnded = false, order = "created", offset = 0, limit } = query;
  const now = store.engine === "postgres" ? new Date() : Date.now();
  const lasts = "revoked_at is null and (expires_at is null or expires_at > ?)";
  const [sql, values] = withEnded ? ["project_id = ?", [projectId]] : [`project_id = ? and ${lasts}`, [projectId, now]];
  const listed = { sql, values, orderBy: ORDER_SQL[order] };
  const [found, ended] = await Promise.all([
    text === "" ? listKeys(store, listed, { offset, limit }) : findKeys(store, listed, text),
    countKeys(store, `project_id = ? and not (${lasts})`, [projectId, now]),
  ]);
  const ids = text === "" ? found.ids : found.ids.slice(offset, offset + limit);
  return { keys: await readInOrder(store, ids), total: found.total, ended };
}

/** The condition of keys, and their order. */
interface Listed {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly orderBy: string;
}

async function listKeys(
  store: Store,
  { sql, values, orderBy }: Listed,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  const page = `select id from api_key where ${sql} order by ${orderBy} limit ? offset ?`;
  const [rows, total] = await Promise.all([
    readRows<{ id: string }>(store, page, [...values, limit, offset]),
    countKeys(store, sql, values),
  ]);
  return { ids: rows.map(({ id }) => id), total };
}

interface FoundKey {
  readonly id: string;
  readonly name: string;
  readonly publicId: string;
  /** Text in SQLite; null without any. */
  readonly tags: string | Readonly<Record<string, string>> | null;
}

/** Finds all keys that have a text in them. */
async function findKeys(store: Store, { sql, values, orderBy }: Listed, text: string) {
  const [like, each] = store.engine === "postgres" ? ["ilike", "jsonb_each_text"] : ["like", "json_each"];
  const has = (column: string) => `${column} ${like} ? escape '!'`;
  const tagged = `exists (select 1 from ${each}(tags) as tag where ${has("(tag.key || '=' || tag.value)")})`;
  const pattern = toPattern(text);
  const rows = await readRows<FoundKey>(
    store,
    `select id, name, public_id as "publicId", tags from api_key where ${sql}
      and (${has("name")} or ${has("public_id")} or ${tagged}) order by ${orderBy}`,
    [...values, pattern, pattern, pattern],
  );
  const wanted = foldCase(text);
  const found = rows.filter(({ name, publicId, tags }) => {
    const own: Readonly<Record<string, string>> = typeof tags === "string" ? JSON.parse(tags) : (tags ?? {});
    const named = Object.entries(own).map(([tag, value]) => `${tag}=${value}`);
    return [name, publicId, ...named].some((word) => foldCase(word).includes(wanted));
  });
  return { ids: found.map(({ id }) => id), total: found.length };
}

async function countKeys(store: Store, condition: string, values: readonly unknown[]): Promise<number> {
  const sql = `select count(*) as count from api_key where ${condition}`;
  const [row] = await readRows<{ count: number | string }>(store, sql, values);
  return Number(row?.count ?? 0);
}

async function readInOrder(store: Store, ids: readonly string[]): Promise<KeyInfo[]> {
  const keys = await store.fork().find(ApiKey, { id: { $in: [...ids] } });
  const byId = new Map(keys.map((key) => [key.id, toKeyInfo(key)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
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
