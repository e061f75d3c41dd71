import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { type PostgresServer, startPostgres } from "./postgres.ts";

/**
 * Returns the path of a certificate, a key or a list of revoked certificates; `make.sh` beside them says how they were
 * made.
 */
export function certificate(name: string): string {
  return join(import.meta.dirname, "certificates", name);
}

/** Databases of the server, by what they take: whoever is refused is told that no entry is for him. */
const HBA = `
local     all       all      trust
host      either    all all  trust
hostnossl plain     all all  trust
hostssl   plain     all all  reject
hostssl   password  all all  scram-sha-256
hostnossl password  all all  trust
hostssl   certified all all  cert
hostssl   all       all all  trust
`;

const DATABASES = ["either", "plain", "password", "certified"];

/**
 * Starts a server whose databases take TLS only, but for those that say otherwise. Its certificate is for `localhost`.
 */
export async function startTlsPostgres(): Promise<PostgresServer> {
  const file = (name: string) => readFileSync(certificate(name));
  const server = await startPostgres({
    files: {
      "pg_hba.conf": HBA,
      "server.crt": file("server.crt"),
      "server.key": file("server.key"),
      "root.crt": file("authority.crt"),
    },
    settings: ["ssl=on", "ssl_ca_file=root.crt"],
  });
  const client = new Client({
    host: server.socketFolder,
    port: portOf(server),
    user: "postgres",
    database: "postgres",
  });
  await client.connect();
  for (const database of DATABASES) await client.query(`create database ${database}`);
  await client.query("create role reader login password 's3cret'");
  await client.end();
  return server;
}

/** Returns the port of a server. */
export function portOf(server: PostgresServer): number {
  return Number(new URL(server.createDatabaseUrl()).port);
}
