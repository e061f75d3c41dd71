import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeEntry } from "./entry.ts";
import { encodeFrame, readFrames } from "./frame.ts";
import { segmentName } from "./position.ts";

/** Segment in which the record itself can be at the earliest, and id of the inference. */
const NAME = /^(\d{10})-([0-9a-f-]{36})\.provisional$/;

/**
 * Records of inferences that are under way, one file each: they become entries of the spool only where their process
 * dies.
 */
export class ProvisionalFiles {
  readonly #folder: string;
  /** Names of the files, by the ids of the inferences. */
  readonly #names = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get size(): number {
    return this.#names.size;
  }

  /**
   * Keeps an entry in place of the one before it; `segment` is the one that the spool goes on with. Once this returns,
   * it outlives the process. Throws what the system says; the one before is then as it was.
   */
  put(id: string, payload: readonly Uint8Array[], segment: number): void {
    const name = this.#names.get(id) ?? `${String(segment).padStart(10, "0")}-${id}.provisional`;
    const path = join(this.#folder, name);
    const unfinished = `${path}.new`;
    try {
      writeFileSync(unfinished, encodeFrame(payload));
      renameSync(unfinished, path);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    }
    this.#names.set(id, name);
  }

  /** Deletes what is kept of an inference: its record is where it outlives the process. */
  delete(id: string): void {
    // Most requests have none.
    if (this.#names.size === 0) return;
    const name = this.#names.get(id);
    if (name === undefined) return;
    rmSync(join(this.#folder, name), { force: true });
    this.#names.delete(id);
  }
}

/**
 * Returns the files of a folder, whose process has ended, that are now the records of their inferences, each of one
 * frame. Deletes those whose records are in the folder's segments, so that it has to be called before any of these is
 * moved: a record may reach the database after what stood for it.
 */
export function leftProvisional(folder: string, segments: readonly number[]): string[] {
  const files = readdirSync(folder).flatMap((name) => {
    const [, since, id] = NAME.exec(name) ?? [];
    return since === undefined || id === undefined ? [] : [{ path: join(folder, name), since: Number(since), id }];
  });
  if (files.length === 0) return [];
  const first = Math.min(...files.map(({ since }) => since));
  const later = segments.filter((segment) => segment >= first).map((segment) => join(folder, segmentName(segment)));
  const recorded = idsIn(later);
  const isOvertaken = ({ id }: { readonly id: string }): boolean => recorded.has(id);
  for (const { path } of files.filter(isOvertaken)) rmSync(path, { force: true });
  return files.filter((file) => !isOvertaken(file)).map(({ path }) => path);
}

/** Returns the ids of the inferences in files of frames. */
function idsIn(paths: readonly string[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const path of paths) {
    const { frames } = readFrames(readFileSync(path), { frames: Number.POSITIVE_INFINITY, isComplete: true });
    for (const { payload } of frames) {
      const id = getInference(payload);
      if (id !== undefined) ids.add(id);
    }
  }
  return ids;
}

/** An entry of another version may have any inference; the drain puts it aside, where it does no harm. */
function getInference(payload: Buffer): string | undefined {
  try {
    const entry = decodeEntry(payload);
    return entry.kind === "inference" ? entry.inference.row.id : undefined;
  } catch {
    return undefined;
  }
}
