import type { WebSocket } from "@fastify/websocket";
import { Capacity, type CapacityUser } from "../../hub/capacity.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** Connections at once in all, and of one key. */
const MOST = 4096;
const MOST_OF_KEY = 256;

/** The ping interval; a connection that has not answered for so long is closed. */
const PING_MS = 30_000;

/** The time limit of a message's arrival, as of the body of a request. */
const ARRIVAL_MS = 300_000;

/** The time limit of closing a connection. */
const CLOSE_MS = 1000;

/** A WebSocket connection as the hub sees it. */
export interface HubMember {
  readonly socket: WebSocket;
  readonly user: CapacityUser;
  /** When a message began to come that is not whole, in milliseconds of performance.now(). */
  readonly arrivingSinceMs: number | undefined;
  /**
   * The connection has been open for long enough, or the service ends: it is closed once nothing is under way on it.
   */
  retire(reason: "age" | "ending"): void;
}

interface Entry {
  readonly member: HubMember;
  readonly openedMs: number;
  isAlive: boolean;
}

/** The options of a hub. */
interface HubOptions {
  /** After so long a connection is closed. */
  readonly maxAgeMs: number;
  /** Part of all connections that the keys of one project may have open. */
  readonly projectShare: number;
  readonly pingMs?: number;
}

/** The WebSocket connections of a process: how many there are, whether they live, and when they end. */
export class SocketHub {
  readonly #entries = new Map<HubMember, Entry>();
  readonly #capacity: Capacity;
  readonly #maxAgeMs: number;
  readonly #timer: NodeJS.Timeout;
  #isEnding = false;

  constructor({ maxAgeMs, projectShare, pingMs = PING_MS }: HubOptions) {
    this.#capacity = new Capacity({
      most: MOST,
      ofKey: MOST_OF_KEY,
      projectShare,
      retryAfterMs: CLOSE_MS,
      name: "WebSocket connections open",
      remedy: "use those that there are",
    });
    this.#maxAgeMs = maxAgeMs;
    this.#timer = setInterval(() => this.#look(), Math.min(pingMs, maxAgeMs)).unref();
  }

  /** Refuses a connection where there are too many. Throws RATE_LIMITED or UNAVAILABLE. */
  check(user: CapacityUser): void {
    const refusal = this.#isEnding ? endingError() : this.#capacity.check(user);
    if (refusal !== undefined) throw refusal;
  }

  add(member: HubMember): void {
    const { socket, user } = member;
    const entry: Entry = { member, openedMs: performance.now(), isAlive: true };
    this.#entries.set(member, entry);
    this.#capacity.add(user);
    const heard = (): void => {
      entry.isAlive = true;
    };
    socket.on("pong", heard).on("message", heard);
    socket.once("close", () => {
      this.#entries.delete(member);
      this.#capacity.remove(user);
    });
    if (this.#isEnding) member.retire("ending");
  }

  /** The service ends: connections close as soon as nothing is under way on them. */
  end(): void {
    this.#isEnding = true;
    clearInterval(this.#timer);
    for (const member of this.#entries.keys()) member.retire("ending");
  }

  #look(): void {
    const now = performance.now();
    for (const entry of this.#entries.values()) {
      const { member } = entry;
      if (now - (member.arrivingSinceMs ?? now) > ARRIVAL_MS)
        closeSocket(member.socket, 1008, `a request was not whole after ${ARRIVAL_MS / 1000} s`);
      else if (now - entry.openedMs >= this.#maxAgeMs) member.retire("age");
      // Of a client that does not take what waits for it nothing is read, a pong neither: its own limit cuts it.
      else if (!entry.isAlive && member.socket.bufferedAmount === 0) member.socket.terminate();
      else {
        entry.isAlive = false;
        member.socket.ping();
      }
    }
  }
}

function endingError(): InferenceError {
  const message = "the service is stopping: try again shortly, or over HTTP";
  return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: CLOSE_MS });
}

/** Closes a connection; the other side has a second to agree. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}
