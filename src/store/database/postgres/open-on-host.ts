import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, checkServerIdentity, getCACertificates } from "node:tls";
import type { PostgresHost, PostgresTls } from "../../../lib/postgres-url/parse-postgres-url.ts";
import { ConnectError, isErrorReply } from "./connect-error.ts";
import { openSocket, readReply, startTls } from "./open-socket.ts";

/** The file that libpq takes where the parameter is not set, if it is there: in ~/.postgresql. */
const DEFAULTS = {
  sslrootcert: "root.crt",
  sslcert: "postgresql.crt",
  sslkey: "postgresql.key",
  sslcrl: "root.crl",
} as const;

/** A connection, and what the server answered to the first packet on it. */
export interface Session {
  readonly socket: Socket;
  readonly reply: Buffer;
}

type Way = "plain" | "encrypted";

/**
 * Ways that each mode tries, in this order: https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION
 */
const WAYS: Readonly<Record<PostgresTls["mode"], readonly Way[]>> = {
  disable: ["plain"],
  allow: ["plain", "encrypted"],
  prefer: ["encrypted", "plain"],
  require: ["encrypted"],
  "verify-ca": ["encrypted"],
  "verify-full": ["encrypted"],
};

/** The first packet to a host, and how it is sent. */
interface Opening {
  readonly tls: PostgresTls;
  /** The first packet of a client. */
  readonly startup: Buffer;
  readonly signal: AbortSignal;
}

/**
 * Connects to a host, and sends it the first packet of a client. Where a mode has two ways, the second is tried if the
 * server refuses the first before it has asked for a password: one that was refused over TLS is not sent again without.
 * A host that cannot be reached is not tried again.
 */
export async function openOnHost(place: PostgresHost, { tls, startup, signal }: Opening): Promise<Session> {
  // As with libpq, what does not leave the machine is not encrypted.
  const ways = place.host.startsWith("/") ? WAYS.disable : WAYS[tls.mode];
  let refused: Session | undefined;
  for (const way of ways) {
    const isLast = way === ways.at(-1);
    const options = way === "plain" ? undefined : await readTlsOptions(tls, place.host);
    const socket = await openSocket(place, signal);
    try {
      const used = options === undefined ? socket : await encrypt(socket, { place, tls, options, signal });
      used.write(startup);
      const session = { socket: used, reply: await readReply(used, signal) };
      if (isLast || !isErrorReply(session.reply)) return session;
      refused = session;
    } catch (error) {
      socket.destroy();
      if (signal.aborted || (isLast && refused === undefined)) throw error;
    }
    refused?.socket.destroy();
  }
  if (refused === undefined) throw new Error("each mode of TLS has at least one way");
  return refused;
}

async function encrypt(
  socket: Socket,
  { place, tls, options, signal }: Omit<Opening, "startup"> & { place: PostgresHost; options: ConnectionOptions },
): Promise<Socket> {
  const secured = await startTls(socket, { host: place.host, tls: options, signal });
  if (secured !== undefined) return secured;
  if (tls.mode === "prefer") return socket;
  throw new ConnectError("ETLS", `the server doesn't support TLS, which sslmode=${tls.mode} requires`);
}

/**
 * Returns what Node needs to encrypt a connection to a host as its `sslmode` says. Files are read for each connection,
 * so that renewed ones count. As with libpq, a certificate is checked wherever there is one to check it by, and must be
 * where the mode verifies.
 */
async function readTlsOptions(tls: PostgresTls, host: string): Promise<ConnectionOptions> {
  const ca = tls.rootCert === "system" ? getCACertificates("system") : await read("sslrootcert", tls.rootCert);
  if (ca === undefined && tls.mode.startsWith("verify")) {
    throw new ConnectError("ETLS", `sslmode=${tls.mode} needs sslrootcert=FILE, or sslrootcert=system`);
  }
  const cert = await read("sslcert", tls.cert);
  return {
    ca,
    cert,
    key: cert === undefined ? undefined : await read("sslkey", tls.key),
    passphrase: tls.password,
    crl: ca === undefined ? undefined : await read("sslcrl", tls.crl),
    minVersion: tls.minVersion,
    maxVersion: tls.maxVersion,
    rejectUnauthorized: ca !== undefined,
    checkServerIdentity: (_, certificate) =>
      tls.mode === "verify-full" ? checkServerIdentity(host, certificate) : undefined,
  };
}

/** A file that is named must be there; libpq goes on without it, and does not check what it was asked to. */
async function read(name: keyof typeof DEFAULTS, file: string | undefined): Promise<Buffer | undefined> {
  try {
    return await readFile(file ?? join(homedir(), ".postgresql", DEFAULTS[name]));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : cause;
    if (file === undefined && (code === "ENOENT" || code === "ENOTDIR")) return undefined;
    throw new ConnectError("ETLS", `${name}: the file cannot be read (${code})`, { cause });
  }
}
