import { readRows } from "../../database/executor.ts";
import type { Store } from "../../types/store.ts";

/** Returns those of some ids that are inferences of the project, in their order. */
export async function keepOwn(store: Store, projectId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const list = ids.map(() => "?").join(", ");
  const sql = `select id from inference where id in (${list}) and project_id = ?`;
  const own = new Set((await readRows<{ id: string }>(store, sql, [...ids, projectId])).map(({ id }) => id));
  return ids.filter((id) => own.has(id.toLowerCase()));
}
