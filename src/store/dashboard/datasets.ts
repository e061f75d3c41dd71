import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { newId } from "../../lib/ids.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { readRows } from "../database/executor.ts";
import { Dataset as DatasetEntity } from "../entities/dataset.ts";
import { Project } from "../entities/project.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { type ExportedInference, exportPages } from "./export-inferences.ts";
import type { HistoryRow } from "./reads/describe-rows.ts";
import type { DashboardReads } from "./reads/reads.ts";

/** A dataset, with how many requests it lists. */
interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly rows: number;
}

/** A dataset of a project. */
export interface DatasetPlace {
  readonly projectId: string;
  readonly id: string;
}

/** The datasets of projects. */
export interface Datasets {
  /** Reads those of a project, by name. */
  list(projectId: string): Promise<Dataset[]>;
  /** Resolves to its id, or to why there is none: the name is taken, or the project has as many as it may. */
  create(projectId: string, name: string): Promise<{ readonly id: string } | "taken" | "full">;
  /** Resolves to whether there was one. */
  remove(place: DatasetPlace): Promise<boolean>;
  /** Adds requests of the project. Resolves to how many are new; to undefined where there is no such dataset. */
  add(place: DatasetPlace, inferenceIds: readonly string[]): Promise<number | undefined>;
  /** Takes a request out. Resolves to whether it was in it. */
  drop(place: DatasetPlace, inferenceId: string): Promise<boolean>;
  /** Yields its requests with all that belongs to them, the newest first. */
  export(place: DatasetPlace, signal: AbortSignal): AsyncGenerator<ExportedInference>;
}

/** Most datasets of a project, and requests of a dataset. */
export const MOST_DATASETS = 100;
export const MOST_ROWS = 10_000;

/** Requests of one statement, and of one page of an export. */
const ROWS_AT_ONCE = 500;
const PAGE = 100;

/** Creates the datasets of a database. */
export function createDatasets(store: Store, reads: DashboardReads): Datasets {
  return {
    list: (projectId) => listDatasets(store, projectId),
    create: (projectId, name) =>
      store.unitOfWork(async (em) => {
        // One at a time for each project: two cannot take the same name.
        await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
        const known = await em.find(DatasetEntity, { project: projectId });
        if (known.some((dataset) => dataset.name === name)) return "taken";
        if (known.length >= MOST_DATASETS) return "full";
        const id = newId();
        const createdBy = store.origin.actor.label;
        em.create(DatasetEntity, { id, project: projectId, name, createdBy, createdAt: new Date() });
        audit(store, em, { place: { projectId, id }, name, action: "create", before: null, after: { name } });
        return { id };
      }),
    remove: (place) =>
      change(store, place, false, async (em, dataset) => {
        audit(store, em, { place, name: dataset.name, action: "remove", before: { name: dataset.name }, after: null });
        em.remove(dataset);
        return true;
      }),
    add: (place, inferenceIds) =>
      change(store, place, undefined, async (em, { name }) => {
        const before = await countRows(em, place.id);
        await insertRows(em, place, inferenceIds.slice(0, MOST_ROWS - before));
        const after = await countRows(em, place.id);
        audit(store, em, { place, name, action: "add", before: { rows: before }, after: { rows: after } });
        return after - before;
      }),
    drop: (place, inferenceId) =>
      change(store, place, false, async (em, { name }) => {
        const rows = query(em).deleteFrom("DatasetRow").where("dataset", "=", place.id);
        const { numDeletedRows } = await rows.where("inferenceId", "=", inferenceId).executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        audit(store, em, { place, name, action: "drop", before: { inferenceId }, after: null });
        return true;
      }),
    export: (place, signal) =>
      exportPages(reads, { projectId: place.projectId, pages: readPages(reads, place), signal }),
  };
}

async function* readPages(
  reads: DashboardReads,
  { projectId, id }: DatasetPlace,
): AsyncGenerator<readonly HistoryRow[]> {
  let cursor: string | undefined;
  do {
    const page = await reads.readDataset({ projectId, datasetId: id, cursor, limit: PAGE });
    yield page.rows;
    cursor = page.next;
  } while (cursor !== undefined);
}

async function listDatasets(store: Store, projectId: string): Promise<Dataset[]> {
  const datasets = await store.fork().find(DatasetEntity, { project: projectId }, { orderBy: { name: "asc" } });
  const sql =
    "select dataset_id, count(*) as listed from dataset_row where dataset_id in " +
    "(select id from dataset where project_id = ?) group by dataset_id";
  const counts = await readRows<{ dataset_id: string; listed: number }>(store, sql, [projectId]);
  const listedById = new Map(counts.map(({ dataset_id, listed }) => [dataset_id, Number(listed)]));
  return datasets.map(({ id, name, createdBy, createdAt }) => ({
    id,
    name,
    createdBy,
    createdAt,
    rows: listedById.get(id) ?? 0,
  }));
}

/** Changes a dataset of a project, one change at a time; `missing` is returned where there is none. */
async function change<Result>(
  store: Store,
  { projectId, id }: DatasetPlace,
  missing: Result,
  apply: (em: SqlEntityManager, dataset: { readonly name: string }) => Promise<Result>,
): Promise<Result> {
  return await store.unitOfWork(async (em) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const dataset = await em.findOne(DatasetEntity, { project: projectId, id }, lock);
    return dataset === null ? missing : await apply(em, dataset);
  });
}

async function countRows(em: SqlEntityManager, id: string): Promise<number> {
  const rows = query(em).selectFrom("DatasetRow").where("dataset", "=", id);
  const counted = await rows.select(({ fn }) => fn.countAll<number>().as("rows")).executeTakeFirstOrThrow();
  return Number(counted.rows);
}

/** Requests of other projects, and ids that are none, are left out. */
async function insertRows(em: SqlEntityManager, place: DatasetPlace, inferenceIds: readonly string[]): Promise<void> {
  for (let start = 0; start < inferenceIds.length; start += ROWS_AT_ONCE) {
    const part = inferenceIds.slice(start, start + ROWS_AT_ONCE);
    const own = await query(em)
      .selectFrom("Inference")
      .select("id")
      .where("projectId", "=", place.projectId)
      .where("id", "in", part)
      .execute();
    if (own.length === 0) continue;
    await query(em)
      .insertInto("DatasetRow")
      .values(own.map(({ id }) => ({ dataset: place.id, inferenceId: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

interface DatasetChange {
  readonly place: DatasetPlace;
  readonly name: string;
  readonly action: "create" | "remove" | "add" | "drop";
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

function audit({ origin }: Store, em: SqlEntityManager, { place, name, action, before, after }: DatasetChange): void {
  const target = { kind: "dataset", id: place.id, name };
  appendAuditEntry(em, {
    ...origin,
    projectId: place.projectId,
    action: `datasets.${action}`,
    target,
    before,
    after,
  });
}
