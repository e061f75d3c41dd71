import { readInferences } from "../../read/queries/list-inferences.ts";
import type { Store } from "../../types/store.ts";
import { describeRows, type HistoryRow } from "./describe-rows.ts";

/** The query of a page of a dataset. */
interface DatasetQuery {
  readonly projectId: string;
  readonly datasetId: string;
  /** The last id of the page before; undefined begins with the newest. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A page of a dataset, the newest first. */
interface DatasetPage {
  readonly rows: readonly HistoryRow[];
  /** Cursor of what follows; undefined at the end. */
  readonly next: string | undefined;
}

/** Reads a page of the requests of a dataset; those that are gone, or of another project, are left out. */
export async function readDataset(store: Store, query: DatasetQuery): Promise<DatasetPage> {
  const { projectId, datasetId, cursor, limit } = query;
  let rows = store.query().selectFrom("DatasetRow").select("inferenceId").where("dataset", "=", datasetId);
  if (cursor !== undefined) rows = rows.where("inferenceId", "<", cursor);
  const found = await rows
    .orderBy("inferenceId", "desc")
    .limit(limit + 1)
    .execute();
  const ids = found.slice(0, limit).map(({ inferenceId }) => inferenceId);
  return {
    rows: await describeRows(store, await readInferences(store, projectId, ids)),
    next: found.length > limit ? ids.at(-1) : undefined,
  };
}
