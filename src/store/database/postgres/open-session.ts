import { formatAddress } from "../../../lib/format-address.ts";
import type { PostgresHost, PostgresServer } from "../../../lib/postgres-url/parse-postgres-url.ts";
import { checkSessionKind } from "./check-session-kind.ts";
import { ConnectError, isRefusal, readNotReady } from "./connect-error.ts";
import { openOnHost, type Session } from "./open-on-host.ts";
import type { OpenSession } from "./server-socket.ts";

/** All hosts together have this long to answer, unless `connect_timeout` gives each a time of its own. */
const CONNECT_TIMEOUT_MS = 5000;

/** A host that is tried, and the kind of server that it must be. */
interface Attempt {
  readonly place: PostgresHost;
  readonly kind: Exclude<PostgresServer["sessionKind"], "prefer-standby">;
}

/** Returns the time that each host has to answer, and all hosts together. */
export function connectTimeouts(server: PostgresServer): { readonly hostMs: number; readonly allMs: number } {
  const { length } = getAttempts(server);
  const hostMs = server.connectTimeoutMs ?? CONNECT_TIMEOUT_MS / length;
  return { hostMs, allMs: hostMs * length };
}

/**
 * Connects to the first of the hosts that takes the connection and is of the kind that is asked for. Rejects with the
 * error of the host, or with one that names all. A host that says no, be it to the password, is the last, as with
 * libpq.
 */
export async function openSession(server: PostgresServer, startup: Buffer, signal: AbortSignal): Promise<Session> {
  const { hostMs } = connectTimeouts(server);
  const failures: Error[] = [];
  for (const attempt of getAttempts(server)) {
    const timeout = AbortSignal.timeout(hostMs);
    try {
      return await tryHost(server, { ...attempt, startup, signal: AbortSignal.any([signal, timeout]) });
    } catch (error) {
      if (signal.aborted || isRefusal(error)) throw error;
      const reason = timeout.aborted ? new ConnectError("ETIMEDOUT", `no answer in ${hostMs / 1000} s`) : error;
      if (server.hosts.length === 1) throw reason;
      failures.push(nameHost(attempt.place, reason));
    }
  }
  // MikroORM makes an error of its own of it, which keeps its message and its cause, and not that it is of several.
  throw new Error(failures.map(({ message }) => message).join("; "), { cause: new AggregateError(failures) });
}

async function tryHost(
  server: PostgresServer,
  { place, kind, startup, signal }: Attempt & { readonly startup: Buffer; readonly signal: AbortSignal },
): Promise<Session> {
  const open: OpenSession = (packet, until) => openOnHost(place, { tls: server.tls, startup: packet, signal: until });
  if (kind !== "any") await checkSessionKind(server, { place, kind, open, startup, signal });
  const session = await open(startup, signal);
  const notReady = readNotReady(session.reply);
  if (notReady === undefined || server.hosts.length === 1) return session;
  session.socket.destroy();
  throw notReady;
}

function getAttempts({ hosts, sessionKind }: PostgresServer): Attempt[] {
  if (sessionKind !== "prefer-standby") return hosts.map((place) => ({ place, kind: sessionKind }));
  // Of one host any will do.
  const kinds = hosts.length === 1 ? (["any"] as const) : (["standby", "any"] as const);
  return kinds.flatMap((kind) => hosts.map((place) => ({ place, kind })));
}

function nameHost({ host, port }: PostgresHost, cause: unknown): Error {
  return new Error(`${formatAddress(host, port)}: ${cause instanceof Error ? cause.message : cause}`, { cause });
}
