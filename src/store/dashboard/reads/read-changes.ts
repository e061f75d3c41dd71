import { readRows } from "../../database/executor.ts";
import type { TimeRange } from "../../read/queries/range.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** Something that changed in a project: a key that was made or revoked, or what happened to a workload. */
export interface ProjectChange {
  readonly at: Date;
  /** key-created, key-revoked, or the kind of a workload's event. */
  readonly kind: string;
  /** The name of the key, or the model of the workload; empty for all of the project. */
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Most changes of each kind that are told. */
const MOST = 50;

interface Row {
  readonly at: unknown;
  readonly kind: string;
  readonly name: string;
  /** A text on SQLite. */
  readonly detail: unknown;
}

/** Reads what changed in a project in a time, the latest first. */
export async function readChanges(
  store: Store,
  { projectId, range: { from, to } }: { readonly projectId: string; readonly range: TimeRange },
): Promise<ProjectChange[]> {
  const [first, end] = store.engine === "postgres" ? [from, to] : [from.getTime(), to.getTime()];
  const keys = (column: string, kind: string) =>
    readRows<Row>(
      store,
      `select ${column} as at, '${kind}' as kind, name, null as detail from api_key
         where project_id = ? and ${column} >= ? and ${column} < ? order by ${column} desc limit ${MOST}`,
      [projectId, first, end],
    );
  const events = readRows<Row>(
    store,
    `select at, kind, model as name, detail from workload_event
       where project_id = ? and id >= ? and id < ? order by id desc limit ${MOST}`,
    [projectId, firstIdAt(from.getTime()), firstIdAt(to.getTime())],
  );
  const rows = (
    await Promise.all([keys("created_at", "key-created"), keys("revoked_at", "key-revoked"), events])
  ).flat();
  return rows.map(toChange).sort((a, b) => b.at.getTime() - a.at.getTime());
}

function toChange({ at, kind, name, detail }: Row): ProjectChange {
  const parsed: unknown = typeof detail === "string" ? JSON.parse(detail) : detail;
  const isDetail = typeof parsed === "object" && parsed !== null;
  const time = new Date(at instanceof Date || typeof at === "number" ? at : String(at));
  return { at: time, kind, name, detail: isDetail ? (parsed as Readonly<Record<string, unknown>>) : {} };
}
