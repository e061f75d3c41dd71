import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { BufferArena } from "../../../lib/buffer-arena.ts";
import { readFrames } from "./frame.ts";
import { BEGINNING, type Position, segmentName } from "./position.ts";
import { listSegments } from "./spool-folder.ts";

/** A payload of the spool. */
interface SpoolItem {
  /** Good until the reader is told to begin anew. */
  readonly payload: Buffer;
  /** The position after it. */
  readonly end: Position;
}

/** Bytes that are read at once, unless a frame is larger. */
const WINDOW_BYTES = 2 ** 20;

/** Reads the segments of a folder, one after another, while they are still written. */
export class SpoolReader {
  readonly #folder: string;
  #at: Position;
  #brokenBytes = 0;
  readonly #memory = new BufferArena();

  /** Begins after what was written through `from`. */
  constructor(folder: string, from: Position = BEGINNING) {
    this.#folder = folder;
    this.#at = from;
  }

  /** Returns the position at which reading goes on. */
  get at(): Position {
    return this.#at;
  }

  /** Bytes so far that belonged to no whole frame. */
  get brokenBytes(): number {
    return this.#brokenBytes;
  }

  /** Takes note that nobody looks any more at the payloads that were read so far. */
  beginAnew(): void {
    this.#memory.beginAnew();
  }

  /** Returns the next payloads before `end`, at most `limit`; none if there are no more. */
  read(end: Position, limit: number): SpoolItem[] {
    for (;;) {
      const items = this.#readSegment(end, limit);
      if (items.length > 0 || this.#at.segment >= end.segment) return items;
      const next = listSegments(this.#folder).find((segment) => segment > this.#at.segment) ?? end.segment;
      this.#at = { segment: Math.min(next, end.segment), offset: 0 };
    }
  }

  #readSegment(end: Position, limit: number): SpoolItem[] {
    const { segment, offset } = this.#at;
    const path = join(this.#folder, segmentName(segment));
    const isClosed = segment < end.segment;
    const size = isClosed ? getSize(path) : end.offset;
    for (let window = WINDOW_BYTES; offset < size; window *= 2) {
      const length = Math.min(window, size - offset);
      // Where a writer says that its segment ends, a frame ends.
      const isComplete = offset + length === size;
      const bytes = readInto(this.#memory.take(this.#memory.reserve(length)), path, offset);
      const { frames, end: read, brokenBytes } = readFrames(bytes, { frames: limit, isComplete });
      if (read > 0) {
        this.#at = { segment, offset: offset + read };
        this.#brokenBytes += brokenBytes;
        if (frames.length > 0) {
          return frames.map((frame) => ({ payload: frame.payload, end: { segment, offset: offset + frame.end } }));
        }
        return this.#readSegment(end, limit);
      }
      if (length === size - offset) return [];
    }
    return [];
  }
}

/** Reads one payload whose place is known. */
export function readPart(path: string, offset: number, length: number): Buffer {
  return readInto(Buffer.allocUnsafe(length), path, offset);
}

function readInto(bytes: Buffer, path: string, offset: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const read = readSync(descriptor, bytes, 0, bytes.length, offset);
    return bytes.subarray(0, read);
  } finally {
    closeSync(descriptor);
  }
}

/** There is none where the segment was never begun: the spool begins with the first one after the beginning. */
function getSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
