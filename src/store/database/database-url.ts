import { resolve } from "node:path";
import {
  describePostgresServer,
  type PostgresServer,
  parsePostgresUrl,
} from "../../lib/postgres-url/parse-postgres-url.ts";

/** The location of a database. */
export type DatabaseAddress =
  | { readonly engine: "sqlite"; readonly file: string }
  | { readonly engine: "postgres"; readonly server: PostgresServer };

const FORMS = "'sqlite:./data/attune.db', 'sqlite::memory:' or 'postgresql://user:password@host:5432/database'";

/**
 * Parses the URL of a database; of PostgreSQL, with what the environment says of connections. Throws an Error that says
 * what it must be; a password never reaches it.
 */
export function parseDatabaseUrl(databaseUrl: string): DatabaseAddress {
  const [scheme, rest] = splitScheme(databaseUrl);
  if (scheme === "sqlite" && rest !== "") {
    return { engine: "sqlite", file: rest === ":memory:" ? rest : resolve(rest) };
  }
  if (scheme === "postgresql" || scheme === "postgres") {
    return { engine: "postgres", server: parseServer(databaseUrl) };
  }
  const shown = scheme === "" ? "it has no scheme" : `its scheme is '${scheme}'`;
  throw new Error(`database.url: must be ${FORMS}; ${shown}`);
}

/** Says where the data is, for people and logs: without the password. */
export function describeDatabaseUrl(databaseUrl: string): string {
  const address = parseDatabaseUrl(databaseUrl);
  if (address.engine === "sqlite") return address.file === ":memory:" ? "memory" : address.file;
  return describePostgresServer(address.server);
}

function parseServer(databaseUrl: string): PostgresServer {
  try {
    return parsePostgresUrl(databaseUrl, process.env);
  } catch (thrown) {
    throw new Error(`database.url: ${thrown instanceof Error ? thrown.message : thrown}`, { cause: thrown });
  }
}

function splitScheme(databaseUrl: string): [string, string] {
  const colon = databaseUrl.indexOf(":");
  if (colon < 1) return ["", databaseUrl];
  // sqlite:///absolute/path is how other tools write it; the path is the same.
  const rest = databaseUrl.slice(colon + 1).replace(/^\/\/(?=\/)/, "");
  return [databaseUrl.slice(0, colon).toLowerCase(), rest];
}
