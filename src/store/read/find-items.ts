import { setTimeout as delay } from "node:timers/promises";
import type { IndexedItem } from "../../inference/ports.ts";
import { itemName } from "../entities/inference-item.ts";
import type { Store } from "../types/store.ts";
import type { StoreLookup } from "./store-lookup.ts";

/** The sources of items, and the names that were waited for in vain, of items that nobody here has made. */
interface ItemSources {
  readonly store: Store;
  readonly lookup: Pick<StoreLookup, "hasOthers">;
  /** The latest of them; bounded here. */
  readonly unknown: Set<string>;
}

type Items = Map<string, readonly IndexedItem[]>;

/** Most answers of which an item of one name is known, and most names that one request looks for: the latest ones. */
const MOST_ANSWERS = 8;
const MOST_NAMES = 4000;
const NAMES_PER_STATEMENT = 500;
/** Another process writes what it has answered within so long, as a rule. */
const WAITS_MS = [50, 150, 400, 900, 1500];
const MOST_UNKNOWN = 10_000;

/**
 * Finds the answers of a project that have items of these names. Where other processes are at work, what is not there
 * is looked for again for up to 3 s, once for each name: a client comes back with an item sooner than it is written.
 */
export async function findItems(
  ids: readonly string[],
  projectId: string,
  { store, lookup, unknown }: ItemSources,
): Promise<Items> {
  const wanted = new Map(ids.slice(-MOST_NAMES).map((id) => [itemName(id), id]));
  const found: Items = new Map();
  await readInto(found, wanted, { store, projectId });
  const isAwaited = () => [...wanted].some(([name, id]) => !found.has(id) && !unknown.has(`${projectId} ${name}`));
  if (!isAwaited() || !(await lookup.hasOthers())) return found;
  for (const waitMs of WAITS_MS) {
    if (!isAwaited()) break;
    await delay(waitMs);
    await readInto(found, wanted, { store, projectId });
  }
  for (const [name, id] of wanted) if (!found.has(id)) noteUnknown(unknown, `${projectId} ${name}`);
  return found;
}

function noteUnknown(unknown: Set<string>, name: string): void {
  unknown.add(name);
  const [oldest] = unknown.size > MOST_UNKNOWN ? unknown : [];
  if (oldest !== undefined) unknown.delete(oldest);
}

async function readInto(
  found: Items,
  wanted: ReadonlyMap<string, string>,
  { store, projectId }: { readonly store: Store; readonly projectId: string },
): Promise<void> {
  const names = [...wanted].flatMap(([name, id]) => (found.has(id) ? [] : [name]));
  for (let from = 0; from < names.length; from += NAMES_PER_STATEMENT) {
    const rows = await store
      .query()
      .selectFrom("InferenceItem")
      .innerJoin("Inference", "Inference.id", "InferenceItem.inferenceId")
      .select(["InferenceItem.name", "InferenceItem.asked", "Inference.id", "Inference.upstream", "Inference.stored"])
      .where("InferenceItem.projectId", "=", projectId)
      .where("InferenceItem.name", "in", names.slice(from, from + NAMES_PER_STATEMENT))
      .where("Inference.deletedAt", "is", null)
      .orderBy("InferenceItem.inferenceId", "desc")
      .limit(NAMES_PER_STATEMENT * MOST_ANSWERS)
      .execute();
    for (const { name, asked, id: inferenceId, upstream, stored } of rows) {
      const id = wanted.get(name) ?? "";
      const others = found.get(id) ?? [];
      const item = { inferenceId, upstream, isStored: Boolean(stored), asked };
      if (others.length < MOST_ANSWERS) found.set(id, [...others, item]);
    }
  }
}
