import { connect, type Socket } from "node:net";

/** What a key that hoards memory is aimed at. */
export interface HoardTarget {
  readonly url: string;
  readonly port: number;
  readonly key: string;
}

/**
 * One way to have a service hold memory. It sends until the signal aborts or all is sent; its connections stay open
 * until then.
 */
export interface Hoard {
  readonly name: string;
  run(target: HoardTarget, signal: AbortSignal): Promise<void>;
}

/** Bytes that one connection sends; undefined once it has sent all. */
export type NextBytes = () => Buffer | undefined;

/** A connection that reads nothing unless it is told to. */
export interface SenderOptions {
  readonly signal: AbortSignal;
  readonly reads?: boolean;
}

/**
 * Sends all bytes of one connection, as fast as they are taken, and keeps the connection open until the signal aborts.
 */
export async function sendAll(port: number, next: NextBytes, { signal, reads = false }: SenderOptions): Promise<void> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  if (reads) socket.resume();
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  for (let bytes = next(); bytes !== undefined && !isOver(socket, signal); bytes = next()) {
    if (!socket.write(bytes)) await untilTaken(socket, signal);
  }
}

/** Sends over so many connections at once. */
export async function sendOverMany(
  count: number,
  { port }: HoardTarget,
  make: () => NextBytes,
  options: SenderOptions,
): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => sendAll(port, make(), options)));
}

/** Gives a head once, then a piece so many times. */
export function headThen(head: Buffer, piece: Buffer, times: number): NextBytes {
  let sent = -1;
  return () => {
    sent += 1;
    if (sent === 0) return head;
    return sent <= times ? piece : undefined;
  };
}

/** Waits until the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function isOver(socket: Socket, signal: AbortSignal): boolean {
  return socket.destroyed || !socket.writable || signal.aborted;
}

function untilTaken(socket: Socket, signal: AbortSignal): Promise<void> {
  if (isOver(socket, signal)) return Promise.resolve();
  // The signal destroys the socket.
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });
}
