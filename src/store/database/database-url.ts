import { resolve } from "node:path";

/** Where a database is. */
export type DatabaseAddress =
  | { readonly engine: "sqlite"; readonly file: string }
  | { readonly engine: "postgres"; readonly url: string };

const FORMS = "'sqlite:./data/attune.db', 'sqlite::memory:' or 'postgresql://user:password@host:5432/database'";

/** Where PostgreSQL listens if nobody says otherwise. */
const DEFAULT_PORT = 5432;

/** Parses the URL of a database. Throws an Error that names the forms it may have; a password never reaches it. */
export function parseDatabaseUrl(databaseUrl: string): DatabaseAddress {
  const [scheme, rest] = splitScheme(databaseUrl);
  if (scheme === "sqlite" && rest !== "") {
    return { engine: "sqlite", file: rest === ":memory:" ? rest : resolve(rest) };
  }
  if ((scheme === "postgresql" || scheme === "postgres") && URL.canParse(databaseUrl)) {
    if (new URL(databaseUrl).pathname.length > 1) return { engine: "postgres", url: databaseUrl };
    throw new Error("database.url: the PostgreSQL URL names no database: add one, such as .../attune");
  }
  const shown = scheme === "" ? "it has no scheme" : `its scheme is '${scheme}'`;
  throw new Error(`database.url: must be ${FORMS}; ${shown}`);
}

/** Says where the data is, for people and logs: without the password. */
export function describeDatabaseUrl(databaseUrl: string): string {
  const address = parseDatabaseUrl(databaseUrl);
  if (address.engine === "sqlite") return address.file === ":memory:" ? "memory" : address.file;
  const { hostname, port, pathname } = new URL(address.url);
  return `postgresql://${hostname}:${port === "" ? DEFAULT_PORT : port}${pathname}`;
}

function splitScheme(databaseUrl: string): [string, string] {
  const colon = databaseUrl.indexOf(":");
  if (colon < 1) return ["", databaseUrl];
  // sqlite:///absolute/path is how other tools write it; the path is the same.
  const rest = databaseUrl.slice(colon + 1).replace(/^\/\/(?=\/)/, "");
  return [databaseUrl.slice(0, colon).toLowerCase(), rest];
}
