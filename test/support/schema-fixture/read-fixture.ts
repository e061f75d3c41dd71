import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { createMissingDatabase } from "../../../src/store/database/create-database.ts";
import { parseDatabaseUrl } from "../../../src/store/database/database-url.ts";
import type { Engine } from "../../../src/store/types/store.ts";

/** A folder for each version that is tagged, or about to be. */
export const FIXTURES = join(import.meta.dirname, "..", "..", "store", "migrations", "fixtures");

/** The database of a version, as SQL. */
export interface Fixture {
  readonly version: string;
  /** All of it. */
  readonly sql: string;
  /** An API key of its default project. */
  readonly key: string;
  /** SQL of each migration by its name, in their order. */
  readonly migrations: ReadonlyMap<string, string>;
}

/** Lists the versions that have a fixture, oldest first. */
export function listFixtures(): readonly string[] {
  const versions = readdirSync(FIXTURES).map((folder) => folder.replace(/^v/, ""));
  return versions.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
}

/** Reads the fixture of a version. */
export function readFixture(version: string, engine: Engine): Fixture {
  const sql = readFileSync(join(FIXTURES, `v${version}`, `${engine}.sql`), "utf8");
  const migrations = sql.matchAll(/^-- (Migration\w+)\n(.*?)(?=^-- )/gms);
  return {
    version,
    sql,
    key: /^-- API key: (\S+)$/m.exec(sql)?.[1] ?? "",
    migrations: new Map([...migrations].map(([, name = "", text = ""]) => [name, text])),
  };
}

/** Makes a database of a fixture. */
export async function loadFixture({ sql }: Fixture, databaseUrl: string): Promise<void> {
  await createMissingDatabase(databaseUrl);
  const address = parseDatabaseUrl(databaseUrl);
  if (address.engine === "sqlite") {
    const database = new DatabaseSync(address.file);
    database.exec(`begin; ${sql}; commit`);
    database.close();
    return;
  }
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
