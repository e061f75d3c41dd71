import { setImmediate as nextTurn } from "node:timers/promises";
import type { QuotaKind, QuotaOwner } from "../../quotas/quota.ts";
import type { OwnedQuota } from "../../quotas/quota-index.ts";
import { readQuotaSettings } from "../../quotas/quota-settings.ts";
import { readRows } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** The quotas that are asked for; absent members allow all. */
interface QuotaFilter {
  readonly projectId?: string;
  readonly projectIds?: readonly string[];
  readonly kinds?: readonly QuotaKind[];
  readonly name?: string;
  readonly names?: readonly string[];
  /** Only those after the one of this owner, in the order of the list. */
  readonly after?: QuotaOwner;
  /** Most quotas. */
  readonly limit?: number;
}

interface QuotaRow {
  readonly kind: string;
  readonly project_id: string;
  readonly name: string;
  /** A text on SQLite. */
  readonly settings: unknown;
}

/** The rows of one statement: SQLite answers on the thread that serves. */
const PAGE = 1000;

/** Without conversion by a query builder, which takes half of the time. */
const NEXT_PAGE = `
  select "kind", "project_id", "name", "settings" from "quota"
  where ("kind", "project_id", "name") > (?, ?, ?) order by "kind", "project_id", "name" limit ${PAGE}`;

/** Reads some quotas, by kind, project and name. */
export async function readQuotas(store: Store, filter: QuotaFilter): Promise<readonly OwnedQuota[]> {
  const { projectId, projectIds, kinds, name, names, after, limit } = filter;
  // PostgreSQL takes no empty list.
  if (projectIds?.length === 0 || names?.length === 0) return [];
  let rows = store.query().selectFrom("Quota").select(["kind", "projectId", "name", "settings"]);
  if (projectId !== undefined) rows = rows.where("projectId", "=", projectId);
  if (projectIds !== undefined) rows = rows.where("projectId", "in", [...projectIds]);
  if (names !== undefined) rows = rows.where("name", "in", [...names]);
  if (after !== undefined) {
    const last = [after.kind, after.projectId, after.name] as const;
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple("kind", "projectId", "name"), ">", tuple(...last)));
  }
  if (kinds !== undefined) rows = rows.where("kind", "in", [...kinds]);
  if (name !== undefined) rows = rows.where("name", "=", name);
  if (limit !== undefined) rows = rows.limit(limit);
  const found = await rows.orderBy("kind").orderBy("projectId").orderBy("name").execute();
  return found.map(({ kind, projectId: project, ...row }) => toQuota({ ...row, kind, project_id: project }));
}

/** Reads all quotas, page by page: there may be as many as 100,000. */
export async function readAllQuotas(store: Store): Promise<readonly OwnedQuota[]> {
  const found: OwnedQuota[] = [];
  let last: readonly string[] = ["", "", ""];
  for (;;) {
    const rows = await readRows<QuotaRow>(store, NEXT_PAGE, last);
    for (const row of rows) found.push(toQuota(row));
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return found;
    last = [end.kind, end.project_id, end.name];
    await nextTurn();
  }
}

function toQuota({ kind, project_id: projectId, name, settings }: QuotaRow): OwnedQuota {
  const parsed: unknown = typeof settings === "string" ? JSON.parse(settings) : settings;
  return { owner: { kind: kind as QuotaKind, projectId, name }, settings: readQuotaSettings(parsed) };
}
