import { rm } from "node:fs/promises";
import { join } from "node:path";
import { encodeFrame, readFrames } from "./frame.ts";
import { BEGINNING, isReached, type Position, type SpoolPlace, segmentName } from "./position.ts";
import { ProvisionalFiles } from "./provisional-files.ts";
import { SegmentFile } from "./segment-file.ts";
import { type Adoption, SpoolFolder } from "./spool-folder.ts";
import { readPart } from "./spool-reader.ts";

/** The options of a spool. */
interface SpoolOptions {
  /** Folder below which every process has one of its own. */
  readonly root: string;
  /** A segment that has so many bytes is followed by the next one. */
  readonly segmentBytes: number;
  /** Told what happens out of a caller's sight. */
  readonly onError: (error: unknown, message: string) => void;
}

/** The segment that is written to. */
interface Current {
  readonly segment: number;
  readonly file: SegmentFile;
  readonly begunAtMs: number;
}

const SCRATCH_BYTES = 64 * 1024;

/**
 * A segment that is this old is given up as soon as all of it is written: no later process has to look through it
 * again.
 */
const RETIRE_MS = 60_000;

/**
 * Entries on the disk that wait to be written: numbered segments in a folder that belongs to this process while it
 * lives. An entry outlives the process once append() returns; what a process leaves is adopted by another one.
 */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #folder: SpoolFolder;
  readonly #provisional: ProvisionalFiles;
  /** Sizes of the segments that are no longer written to. */
  readonly #closed = new Map<number, number>();
  #closedBytes = 0;
  #current: Current | undefined;
  #nextSegment = 1;
  #through: Position = BEGINNING;
  #isReleased = false;
  /** Of segments that are written. */
  readonly #deletions = new Set<Promise<void>>();
  /** Most frames are made in it: a new piece of memory for each costs more than to fill it. */
  readonly #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);

  /** Makes the folder of this process. Throws what the system says. */
  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#folder = new SpoolFolder(options.root);
    this.#provisional = new ProvisionalFiles(this.#folder.path);
  }

  get path(): string {
    return this.#folder.path;
  }

  /** Returns the end of the spool. */
  get end(): Position {
    if (this.#current === undefined) return { segment: this.#nextSegment, offset: 0 };
    return { segment: this.#current.segment, offset: this.#current.file.bytes };
  }

  /** Returns whether all is written. */
  get isEmpty(): boolean {
    return this.backlogBytes === 0;
  }

  /** Bytes that wait. */
  get backlogBytes(): number {
    const { segment: first, offset } = this.#through;
    const bytes = this.#closedBytes + (this.#current?.file.bytes ?? 0);
    return this.#closed.has(first) || this.#current?.segment === first ? bytes - offset : bytes;
  }

  /** Appends an entry. Throws what the system says, such as ENOSPC; nothing of it is then in the spool. */
  append(payload: readonly Uint8Array[]): SpoolPlace {
    const frame = encodeFrame(payload, this.#scratch);
    const { segment, file } = this.#writable();
    const offset = file.bytes;
    file.append(frame);
    return { segment, offset, length: frame.length };
  }

  /**
   * Keeps what becomes an entry where this process dies, until it is dropped; in place of what was kept for the id.
   * Throws what the system says.
   */
  putProvisional(id: string, payload: readonly Uint8Array[]): void {
    if (this.#isReleased) throw new Error("the spool is closed");
    this.#provisional.put(id, payload, this.end.segment);
  }

  /** The record is where it outlives the process: what stood for it, and is left all the same, is passed over. */
  dropProvisional(id: string): void {
    try {
      this.#provisional.delete(id);
    } catch (error) {
      this.#options.onError(error, "what stood for a record in the spool cannot be deleted");
    }
  }

  /** Reads the payload of an entry that waits. Throws what the system says. */
  read({ segment, offset, length }: SpoolPlace): Buffer {
    const bytes = readPart(join(this.path, segmentName(segment)), offset, length);
    const [frame] = readFrames(bytes, { frames: 1, isComplete: true }).frames;
    if (frame === undefined) throw new Error("the entry is not in the spool");
    return frame.payload;
  }

  /** All before `through` is written: its segments are deleted. */
  settle(through: Position): void {
    this.#through = through;
    this.#retireCurrent();
    for (const [segment, size] of this.#closed) {
      if (isReached({ segment, offset: size }, through)) this.#deleteClosed(segment, size);
    }
  }

  /** Takes over what other processes have left. Returns how many bytes that are. */
  adopt(): number {
    return this.#adopting((adoption) => this.#folder.adoptOrphans(adoption));
  }

  /** Takes over what other processes put aside, to try it again. Returns how many bytes that are. */
  adoptRejected(): number {
    return this.#adopting((adoption) => this.#folder.adoptRejected(adoption));
  }

  /** Has the system put on the disk what it holds in memory, in the background. */
  sync(): void {
    this.#retireCurrent();
    this.#current?.file.sync((error) => this.#options.onError(error, "the spool cannot be synchronized with the disk"));
  }

  /** Gives the folder up; deletes it if all is written, and nothing is under way. Nothing is appended any more. */
  async close(): Promise<void> {
    const { isEmpty } = this;
    this.#closeCurrent();
    this.#isReleased = true;
    // A folder from which files vanish meanwhile is not deleted whole.
    await Promise.all(this.#deletions);
    this.#folder.release(isEmpty && this.#provisional.size === 0);
  }

  #adopting(adopt: (adoption: Adoption) => void): number {
    let adopted = 0;
    adopt({
      nextSegment: () => {
        this.#closeCurrent();
        return this.#nextSegment++;
      },
      onAdopted: (segment, bytes) => {
        this.#addClosed(segment, bytes);
        adopted += bytes;
      },
      onFailure: (folder, error) =>
        this.#options.onError(
          error,
          `${folder}, which a process that ended left, cannot be taken over: it waits there`,
        ),
    });
    return adopted;
  }

  #writable(): Current {
    if (this.#isReleased) throw new Error("the spool is closed");
    if (this.#current !== undefined && this.#current.file.bytes >= this.#options.segmentBytes) this.#closeCurrent();
    if (this.#current === undefined) {
      const segment = this.#nextSegment;
      const file = new SegmentFile(join(this.path, segmentName(segment)));
      this.#nextSegment += 1;
      this.#current = { segment, file, begunAtMs: performance.now() };
    }
    return this.#current;
  }

  #closeCurrent(): void {
    if (this.#current === undefined) return;
    const { segment, file } = this.#current;
    this.#current = undefined;
    this.#addClosed(segment, file.bytes);
    file.close((error) => this.#options.onError(error, "the spool cannot be synchronized with the disk"));
  }

  #addClosed(segment: number, bytes: number): void {
    this.#closed.set(segment, bytes);
    this.#closedBytes += bytes;
  }

  /** Else a process that has little to do would keep records for weeks that the database may have deleted meanwhile. */
  #retireCurrent(): void {
    const { isEmpty } = this;
    if (this.#current === undefined || !isEmpty || performance.now() - this.#current.begunAtMs < RETIRE_MS) return;
    const { segment, file } = this.#current;
    this.#closeCurrent();
    this.#deleteClosed(segment, file.bytes);
  }

  #deleteClosed(segment: number, bytes: number): void {
    this.#closed.delete(segment);
    this.#closedBytes -= bytes;
    // In the background: to free 8 MiB may take the disk milliseconds, in which nobody would be answered.
    const deletion = rm(join(this.path, segmentName(segment)), { force: true })
      .catch((error) => this.#options.onError(error, "a written segment cannot be deleted"))
      .finally(() => this.#deletions.delete(deletion));
    this.#deletions.add(deletion);
  }
}
