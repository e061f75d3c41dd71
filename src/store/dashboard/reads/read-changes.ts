import { CONFIGURED } from "../../audit/read-entries.ts";
import { readRows } from "../../database/executor.ts";
import type { TimeRange } from "../../read/queries/range.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** Something that changed in a project: a key that was made or revoked, or what happened to a workload. */
interface ProjectChange {
  readonly at: Date;
  /** key-created, key-revoked, an action of the audit log, or the kind of a workload's event. */
  readonly kind: string;
  /** The name of the key or the limits, or the model of the workload; empty for all of the project. */
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Most changes of each kind that are told. */
const MOST = 50;

/** Entries of the audit log that are looked through: the latest, of the project and of the installation each. */
const MOST_ENTRIES = 2000;

/** Changes of the audit log that may cause failures; keys and workloads have their own rows. */
const KEY_ACTIONS = ["keys.update", "keys.rotate", "keys.pause", "keys.resume"];
const ACTIONS = [...KEY_ACTIONS, "quotas.set", "projectSettings.set", CONFIGURED]
  .map((action) => `'${action}'`)
  .join(", ");

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
  // Where learning of a workload begins, base answers as before.
  const events = readRows<Row>(
    store,
    `select at, kind, model as name, detail from workload_event
       where project_id = ? and kind <> 'begun' and id >= ? and id < ? order by id desc limit ${MOST}`,
    [projectId, firstIdAt(from.getTime()), firstIdAt(to.getTime())],
  );
  const entries = (whose: string, values: readonly unknown[]) =>
    readRows<Row>(
      store,
      `select at, action as kind, case when action = 'projectSettings.set' then '' else target_name end as name,
         case when action = '${CONFIGURED}' then after end as detail
         from (select * from audit_entry where project_id ${whose} order by sequence desc limit ${MOST_ENTRIES}) entry
         where at >= ? and at < ? and action in (${ACTIONS}) order by sequence desc limit ${MOST}`,
      [...values, first, end],
    );
  const rows = (
    await Promise.all([
      ...[keys("created_at", "key-created"), keys("revoked_at", "key-revoked"), events],
      ...[entries("= ?", [projectId]), entries("is null", [])],
    ])
  ).flat();
  return rows.map(toChange).sort((a, b) => b.at.getTime() - a.at.getTime());
}

function toChange({ at, kind, name, detail }: Row): ProjectChange {
  const time = new Date(at instanceof Date || typeof at === "number" ? at : String(at));
  return { at: time, kind, name, detail: toDetail(kind, detail) };
}

function toDetail(kind: string, text: unknown): ProjectChange["detail"] {
  const parsed: unknown = typeof text === "string" ? JSON.parse(text) : text;
  if (typeof parsed !== "object" || parsed === null) return {};
  const { sections, ...detail } = parsed as Readonly<Record<string, unknown>>;
  // The digests of the configuration are for the next process that starts.
  return kind === CONFIGURED ? detail : { ...detail, ...(sections !== undefined && { sections }) };
}
