import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, checkServerIdentity, getCACertificates } from "node:tls";
import type { PostgresTls } from "../../../lib/postgres-url/parse-postgres-url.ts";
import { ConnectError } from "./connect-error.ts";

/** The file that libpq takes where the parameter is not set, if it is there: in ~/.postgresql. */
const DEFAULTS = {
  sslrootcert: "root.crt",
  sslcert: "postgresql.crt",
  sslkey: "postgresql.key",
  sslcrl: "root.crl",
} as const;

/**
 * Returns what Node needs to encrypt a connection to a host as its `sslmode` says. Files are read for each connection,
 * so that renewed ones count. As with libpq, a certificate is checked wherever there is one to check it by, and must be
 * where the mode verifies.
 */
export async function readTlsOptions(tls: PostgresTls, host: string): Promise<ConnectionOptions> {
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
