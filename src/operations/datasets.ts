import { type DatasetPlace, type Datasets, MOST_DATASETS, MOST_ROWS } from "../store/dashboard/datasets.ts";
import type { HistoryQuery } from "../store/dashboard/reads/list-history.ts";
import type { DashboardReads } from "../store/dashboard/reads/reads.ts";
import { alreadyExists, conflict, notFound, readName } from "./checks.ts";

/** Requests that are looked at together, and the time limit of adding what a filter lets through. */
const PAGE = 500;
const ADD_MS = 20_000;

/** Creates a dataset, and returns its id. Throws INVALID_REQUEST, ALREADY_EXISTS and CONFLICT. */
export async function createDataset(datasets: Datasets, projectId: string, name: string): Promise<{ id: string }> {
  const created = await datasets.create(projectId, readName(name, "name"));
  if (created === "taken") throw alreadyExists("name", "is the name of another dataset");
  if (created === "full")
    throw conflict("name", `the project has ${MOST_DATASETS} datasets, the most: remove one first`);
  return created;
}

/** Reads a dataset. Throws NOT_FOUND. */
export async function readDataset(datasets: Datasets, { projectId, id }: DatasetPlace) {
  return (await datasets.list(projectId)).find((dataset) => dataset.id === id) ?? throwMissing();
}

/** Removes a dataset. Throws NOT_FOUND. */
export async function removeDataset(datasets: Datasets, place: DatasetPlace): Promise<void> {
  if (!(await datasets.remove(place))) throwMissing();
}

/** Adds requests, and returns how many are new. Throws NOT_FOUND. */
export async function addRequests(datasets: Datasets, place: DatasetPlace, ids: readonly string[]): Promise<number> {
  return (await datasets.add(place, ids)) ?? throwMissing();
}

/** Takes a request out of a dataset. Throws NOT_FOUND. */
export async function dropRequest(datasets: Datasets, place: DatasetPlace, inferenceId: string): Promise<void> {
  if (!(await datasets.drop(place, inferenceId))) throw notFound("inferenceId", "request in the dataset");
}

/** Adds what a filter lets through, and returns how many are new and whether all were looked at. Throws NOT_FOUND. */
export async function addFiltered(
  { datasets, reads }: { readonly datasets: Datasets; readonly reads: Pick<DashboardReads, "listHistory"> },
  place: DatasetPlace,
  query: Omit<HistoryQuery, "limit">,
): Promise<{ readonly added: number; readonly isComplete: boolean }> {
  await readDataset(datasets, place);
  const deadline = performance.now() + ADD_MS;
  let added = 0;
  let found = 0;
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await reads.listHistory({ ...query, cursor, limit: PAGE });
    if (rows.length > 0)
      added += await addRequests(
        datasets,
        place,
        rows.map(({ id }) => id),
      );
    found += rows.length;
    cursor = next;
    if (cursor === undefined) return { added, isComplete: true };
    if (found >= MOST_ROWS || performance.now() > deadline) return { added, isComplete: false };
  }
}

function throwMissing(): never {
  throw notFound("id", "dataset");
}
