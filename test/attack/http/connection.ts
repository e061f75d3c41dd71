import { connect, type Socket } from "node:net";
import { type Answer, readAnswer } from "./answer.ts";

/** What became of a request. */
export type Exchange =
  | { readonly kind: "answer"; readonly answer: Answer }
  /** The connection ended without an answer. */
  | { readonly kind: "closed" }
  /** Bytes came that are no answer. */
  | { readonly kind: "garbage"; readonly problem: string }
  /** Nothing whole came in time; the connection was given up. */
  | { readonly kind: "hang"; readonly received: number };

const LONG_BYTES = 2 ** 17;
const HEAD_BYTES = 4096;
const LAST_CHUNK = Buffer.from("\r\n\r\n");

/** Longest that an answer may be silent; after more it is a hang. */
export const ANSWER_MS = 15_000;

/** As many times that may an answer take that goes on coming: an export of thousands of large rows. */
const MOST_PERIODS = 8;

/** Longest that an exchange may take by these. */
export const longestMs = (silentMs: number): number => silentMs * MOST_PERIODS;

/**
 * A connection of HTTP/1.1 over which requests go byte for byte as they are, one after another. It is opened when it is
 * needed, and again after the service has closed it.
 */
export class Connection {
  readonly #port: number;
  #socket: Socket | undefined;
  #received: Buffer[] = [];
  #size = 0;
  /** Whether the newest piece may hold the end of a body of chunks, and the bytes before it in which that may begin. */
  #sawLastChunk = false;
  #before = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a whole request and waits for its answer. */
  async send(request: Buffer, method: string, limitMs = ANSWER_MS): Promise<Exchange> {
    const isNew = this.#socket === undefined;
    const exchange = await this.#exchange(request, method, limitMs);
    // The service may have closed a connection that was kept, in the moment in which it was used again.
    if (exchange.kind === "closed" && !isNew) return await this.#exchange(request, method, limitMs);
    return exchange;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #exchange(request: Buffer, method: string, limitMs: number): Promise<Exchange> {
    const socket = this.#open();
    socket.write(request);
    let exchange: Exchange | undefined;
    let heard = this.#size;
    let periods = 0;
    const timer = setInterval(() => {
      periods += 1;
      const goesOn = this.#size > heard && periods < MOST_PERIODS;
      heard = this.#size;
      if (goesOn) return;
      exchange = { kind: "hang", received: this.#size };
      this.#wake?.();
    }, limitMs);
    try {
      while (exchange === undefined) {
        await new Promise<void>((wake) => {
          this.#wake = wake;
          if (this.#ended) wake();
        });
        exchange ??= this.#read(method);
      }
    } catch (error) {
      exchange = { kind: "garbage", problem: error instanceof Error ? error.message : String(error) };
    } finally {
      clearInterval(timer);
    }
    const keeps = exchange.kind === "answer" && exchange.answer.headers["connection"] !== "close" && !this.#ended;
    if (!keeps) this.close();
    return exchange;
  }

  /**
   * Long answers are looked at when they may be whole: a look at each piece would take time that grows with its square.
   */
  #mayBeWhole(): boolean {
    if (this.#ended || this.#size < LONG_BYTES) return true;
    const [first] = this.#received;
    const length = /\r\ncontent-length: (\d+)/i.exec(first?.toString("latin1", 0, HEAD_BYTES) ?? "")?.[1];
    return length === undefined ? this.#sawLastChunk : this.#size > Number(length);
  }

  #read(method: string): Exchange | undefined {
    if (!this.#mayBeWhole()) return undefined;
    const bytes = this.#received.length === 1 ? (this.#received[0] as Buffer) : Buffer.concat(this.#received);
    this.#received = [bytes];
    const read = readAnswer(bytes, { method, ended: this.#ended });
    if (read === undefined) return this.#ended ? { kind: "closed" } : undefined;
    // A head that cannot be read is refused with a body even where it may have said HEAD.
    const isRefusedHead = method === "HEAD" && [400, 431].includes(read.answer.status);
    if (read.end < bytes.length && !isRefusedHead)
      return { kind: "garbage", problem: "more than one answer came to one request" };
    this.#received = [];
    this.#size = 0;
    return { kind: "answer", answer: read.answer };
  }

  #open(): Socket {
    if (this.#socket !== undefined) return this.#socket;
    const socket = connect(this.#port, "127.0.0.1");
    this.#socket = socket;
    this.#received = [];
    this.#size = 0;
    this.#ended = false;
    const end = (): void => {
      if (this.#socket !== socket && this.#socket !== undefined) return;
      this.#ended = true;
      this.#wake?.();
    };
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => {
      if (this.#socket !== socket) return;
      this.#received.push(chunk);
      this.#size += chunk.length;
      const joined = Buffer.concat([this.#before, chunk]);
      this.#sawLastChunk = joined.includes(LAST_CHUNK);
      this.#before = joined.subarray(1 - LAST_CHUNK.length);
      this.#wake?.();
    });
    socket.on("error", () => {});
    socket.on("end", end);
    socket.on("close", end);
    return socket;
  }
}
