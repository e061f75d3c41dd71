import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { PostgresHost } from "../../../lib/postgres-url/parse-postgres-url.ts";
import { ConnectError } from "./connect-error.ts";

/**
 * After so much silence the system asks whether the other side is still there: a cut cable is noticed while nobody
 * asks.
 */
const KEEP_ALIVE_MS = 10_000;
/** Asks a server whether it takes TLS: a length of 8, and the number that stands for the question. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
/** As the driver says it. */
const HUNG_UP = "Connection terminated unexpectedly";

/** Connects to a host. */
export async function openSocket({ host, port }: PostgresHost, signal: AbortSignal): Promise<Socket> {
  const place = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const socket = connect({ ...place, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
  return await untilReady(socket, "connect", signal);
}

/**
 * Encrypts a connection. Resolves to undefined, and leaves the connection as it was, if the server takes no TLS.
 * Rejects with a ConnectError if its certificate does not pass, or both have no version of TLS in common.
 */
export async function startTls(
  socket: Socket,
  { host, tls, signal }: { readonly host: string; readonly tls: ConnectionOptions; readonly signal: AbortSignal },
): Promise<Socket | undefined> {
  socket.write(SSL_REQUEST);
  const reply = await readReply(socket, signal);
  // What follows the one letter was not encrypted, and would be taken for what the server says later.
  if (reply.length > 1) throw new ConnectError("ETLS", "the server's answer to the request for TLS is not one letter");
  if (reply.toString() === "N") return undefined;
  if (reply.toString() !== "S") throw new ConnectError("ETLS", "the server answered the request for TLS with an error");
  try {
    // An address is no server name: RFC 6066.
    const secured = connectTls({ ...tls, socket, ...(isIP(host) === 0 && { servername: host }) });
    return await untilReady(secured, "secureConnect", signal);
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ConnectError("ETLS", `TLS: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/**
 * Resolves to what a server says first; what it says next waits in the socket. Rejects if it closes the connection
 * instead.
 */
export async function readReply(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const onData = (chunk: Buffer) => {
    // At once: several pieces may come in one turn, and the next is not for this reader.
    socket.pause();
    resolve(chunk);
  };
  const onClose = () => reject(new Error(HUNG_UP));
  const onAbort = () => reject(signal.reason);
  socket.once("data", onData).once("close", onClose);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  if (socket.destroyed) onClose();
  // It waits after an earlier reply.
  socket.resume();
  try {
    return await promise;
  } finally {
    socket.off("data", onData).off("close", onClose);
    signal.removeEventListener("abort", onAbort);
  }
}

async function untilReady<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  // An error that comes while nobody waits would end the process; the socket is closed by it, which is seen.
  socket.on("error", () => {});
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
