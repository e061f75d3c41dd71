import { readRows } from "../../database/executor.ts";
import type { EncodedContent } from "../../types/inference-body.ts";
import type { Store } from "../../types/store.ts";
import { groupBySize } from "./group-by-size.ts";

/** Bytes of bodies, as they are stored, that are held at a time. */
const BYTES_AT_ONCE = 2 ** 20;
/** Bodies of one statement. */
const BODIES_AT_ONCE = 32;

/** The bodies of one inference. */
interface StoredBody extends EncodedContent {
  readonly id: string;
}

/** The source of bodies. */
interface BodySource {
  /** Reads the sizes of bodies, in bytes as they are stored, by the ids of those that there are. */
  readBodySizes(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  selectBodies(ids: readonly string[]): Promise<readonly StoredBody[]>;
}

/**
 * Yields what was asked and answered in inferences, in the order of their ids as given; undefined where nothing was
 * kept. They come as they are stored, and few are held, whatever their sizes.
 */
export async function* readBodies(
  source: BodySource,
  ids: readonly string[],
): AsyncGenerator<{ readonly id: string; readonly body: EncodedContent | undefined }> {
  for (let start = 0; start < ids.length; start += BODIES_AT_ONCE) {
    const part = ids.slice(start, start + BODIES_AT_ONCE);
    const sizes = await source.readBodySizes(part);
    const sized = part.map((id) => ({ id, bytes: sizes.get(id) ?? 0 }));
    for (const group of groupBySize(sized, BYTES_AT_ONCE)) {
      const known = group.filter((id) => sizes.has(id));
      const rows = known.length === 0 ? [] : await source.selectBodies(known);
      const bodies = new Map(rows.map((row) => [row.id, row]));
      for (const id of group) yield { id, body: bodies.get(id) };
    }
  }
}

/** Reads the sizes of bodies from a database. */
export async function readBodySizes(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const marks = ids.map(() => "?").join(", ");
  const size = store.engine === "postgres" ? "octet_length" : "length";
  const sql = `select id, ${size}(request) + ${size}(response) as bytes from inference_body where id in (${marks})`;
  const rows = await readRows<{ id: string; bytes: number }>(store, sql, ids);
  return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]));
}

/** Reads bodies from a database, in any order. */
export async function selectBodies(store: Store, ids: readonly string[]): Promise<readonly StoredBody[]> {
  return await store
    .query()
    .selectFrom("InferenceBody")
    .select(["id", "request", "response"])
    .where("id", "in", [...ids])
    .execute();
}
