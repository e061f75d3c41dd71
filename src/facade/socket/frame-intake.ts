import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { WebSocket } from "@fastify/websocket";
import type { InferenceError } from "../../hub/error.ts";
import { EventLoopBudget } from "../../lib/event-loop-budget.ts";
import { untilTaken } from "../until-taken.ts";

/** The memory that the parser holds for each chunk of an unfinished message beside its bytes. */
const CHUNK_BYTES = 256;

const CLOSE = 0x08;
const NOTHING = Buffer.alloc(0);

/** Of all connections: a read of 64 KiB may bring 9,000 frames, and many connections may have one at once. */
const share = new EventLoopBudget();

/** Counts bytes that a connection holds. */
export interface ByteCount {
  /** Counts bytes; returns why they are too many. They are counted all the same. */
  take(bytes: number): InferenceError | undefined;
  giveBack(bytes: number): void;
}

/**
 * Reads a connection one frame at a time. Bytes count from when they come until their message is whole; no frame is
 * begun while the client does not take what was sent to it, nor once frames have had their share of a turn of the event
 * loop.
 */
export class FrameIntake {
  readonly #raw: Socket;
  readonly #count: ByteCount;
  readonly #parsers: readonly ((chunk: Buffer) => void)[];
  readonly #refuse: (error: InferenceError) => void;
  readonly #chunks: Buffer[] = [];
  /** The begin of a frame whose length is not there yet. */
  #carry: Buffer = NOTHING;
  #frame: FrameHead | undefined;
  /** Bytes of the frame that have not come. */
  #left = 0;
  /** Bytes that wait to be parsed, and what is counted with them of the message before. */
  #waiting = 0;
  #held = 0;
  #isFeeding = false;
  #hasEnded = false;
  /** When the message began that is not whole; undefined between messages. */
  arrivingSinceMs: number | undefined;

  /**
   * Takes the reading of the raw socket over from the library's parser. `refuse` is told of more bytes than the count
   * has room for; nothing is read after it.
   */
  constructor(socket: WebSocket, raw: Socket, count: ByteCount, refuse: (error: InferenceError) => void) {
    this.#raw = raw;
    this.#count = count;
    this.#refuse = refuse;
    this.#parsers = raw.listeners("data") as ((chunk: Buffer) => void)[];
    raw.removeAllListeners("data");
    raw.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.once("error", () => this.#end());
    // Before the library hears of it, which would parse in one go what was not read. Without a length, a socket that
    // flows gives one chunk of several.
    raw.prependOnceListener("close", () => {
      this.#end();
      raw.read(raw.readableLength);
    });
  }

  #take(chunk: Buffer): void {
    // What still comes is thrown away as it comes.
    if (this.#hasEnded) return;
    this.#raw.pause();
    const bytes = chunk.length + CHUNK_BYTES;
    this.#held += bytes;
    const refusal = this.#count.take(bytes);
    if (refusal === undefined) {
      this.#chunks.push(chunk);
      this.#waiting += chunk.length;
      if (!this.#isFeeding) void this.#feedAll();
    } else {
      this.#end();
      this.#refuse(refusal);
    }
  }

  async #feedAll(): Promise<void> {
    this.#isFeeding = true;
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) await this.#feed(chunk);
    this.#isFeeding = false;
    this.#raw.resume();
  }

  async #feed(chunk: Buffer): Promise<void> {
    let rest = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    this.#carry = NOTHING;
    while (rest.length > 0 && !this.#hasEnded) {
      this.#frame ??= await this.#begin(rest);
      if (this.#frame === undefined) {
        this.#carry = rest;
        return;
      }
      // The connection may have gone meanwhile.
      if (this.#hasEnded) return;
      const part = rest.subarray(0, this.#left);
      rest = rest.subarray(part.length);
      this.#left -= part.length;
      this.#waiting -= part.length;
      // Before it is parsed, since whoever is given the message counts it then.
      if (this.#left === 0) this.#endFrame(this.#frame);
      for (const parse of this.#parsers) parse.call(this.#raw, part);
    }
  }

  /** Waits until a frame may begin. */
  async #begin(bytes: Buffer): Promise<FrameHead | undefined> {
    const head = readFrameHead(bytes);
    if (head === undefined) return undefined;
    await untilTaken(this.#raw);
    await share.acquire();
    this.#left = head.bytes;
    if (head.opcode < CLOSE) this.arrivingSinceMs ??= performance.now();
    return head;
  }

  /** Releases the count of a whole message, which its reader counts from now on. */
  #endFrame({ opcode, isLast }: FrameHead): void {
    this.#frame = undefined;
    if (opcode === CLOSE) this.#end();
    if (opcode < CLOSE && isLast) this.arrivingSinceMs = undefined;
    if (this.arrivingSinceMs === undefined) this.#hold(Math.min(this.#held, this.#waiting));
  }

  #hold(bytes: number): void {
    this.#count.giveBack(this.#held - bytes);
    this.#held = bytes;
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#chunks.length = 0;
    this.#hold(0);
    this.#raw.resume();
  }
}

/** The head of a WebSocket frame (RFC 6455, section 5.2). */
interface FrameHead {
  /** Bytes of the frame, head and all. */
  readonly bytes: number;
  readonly opcode: number;
  /** The frame is the last of its message. */
  readonly isLast: boolean;
}

const MASK_BYTES = 4;

/** Reads the head of the frame that begins these bytes; undefined while its length is not there. */
export function readFrameHead(bytes: Buffer): FrameHead | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthEnd = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < lengthEnd) return undefined;
  const payload = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const mask = (second & 0x80) === 0 ? 0 : MASK_BYTES;
  return { bytes: lengthEnd + mask + payload, opcode: first & 0x0f, isLast: (first & 0x80) !== 0 };
}
