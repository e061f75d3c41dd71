import { constants, createZstdCompress, type ZstdOptions } from "node:zlib";
import type { ReusedMemory } from "./reused-memory.ts";

/** What a stream of node:zlib has inside: its own one-shot functions use it like this, but its documentation does not name it. */
interface Inside {
  readonly _handle?: { readonly writeSync?: WriteSync } | null;
  /** Bytes of room, and of input, that the last write has left. */
  readonly _writeState?: Uint32Array;
}

type WriteSync = (flush: number, ...given: [...Span<Uint8Array>, ...Span<Buffer>]) => void;
type Span<Bytes> = [bytes: Bytes, at: number, length: number];

/**
 * A compressor that stays. node:zlib's one-shot functions make one for each text, in 25 us, where 3 KB take 10 to compress, and the heap is collected
 * for its memory. Its frames are the same. Where a version of Node has nothing of that inside, there are none.
 */
export class KeptZstd {
  readonly #create: () => Inside;
  #stream: Inside | undefined;

  constructor(options: ZstdOptions, create: (options: ZstdOptions) => object = createQuiet) {
    this.#create = () => create(options);
  }

  /** Returns a text as one frame, in memory that is given; undefined where that is not to be had. */
  compress(bytes: Uint8Array, memory: ReusedMemory): Uint8Array | undefined {
    this.#stream ??= this.#create();
    const { _handle: handle, _writeState: left } = this.#stream;
    if (typeof handle?.writeSync !== "function" || left === undefined) return undefined;
    const room = memory.reserve(mostBytes(bytes.length));
    left.fill(NOTHING_USED);
    // The frame ends with this input, and the next input begins another.
    handle.writeSync(constants.ZSTD_e_end, bytes, 0, bytes.length, room, 0, room.length);
    const [leftRoom = NOTHING_USED, leftInput] = left;
    if (leftInput === 0 && leftRoom < room.length) return memory.take(room, room.length - leftRoom);
    // It has failed, and takes nothing more.
    this.#stream = undefined;
    return undefined;
  }
}

/** That it has failed shows in what it leaves; its event, which comes later, would end the process where nobody listens. */
function createQuiet(options: ZstdOptions): object {
  return createZstdCompress(options).on("error", () => {});
}

const NOTHING_USED = 2 ** 32 - 1;

/** ZSTD_COMPRESSBOUND of zstd.h, and a little more for short texts. */
function mostBytes(length: number): number {
  return length + (length >> 8) + 64;
}
