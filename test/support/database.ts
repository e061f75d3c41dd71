import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { migrate } from "../../src/store/database/migrate.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import type { Engine, Store } from "../../src/store/types/store.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

/** The engines that every test of the store runs on. */
export const ENGINES: readonly Engine[] = ["sqlite", "postgres"];

/** Databases for the tests of one describe(). */
export interface TestDatabases {
  /** A migrated database that the tests share. */
  readonly store: Store;
  /** Its URL. */
  readonly url: string;
  /** Returns the URL of a database that does not exist yet. */
  newUrl(): string;
  /** Makes a migrated database of its own, and returns its URL. */
  newMigratedUrl(): Promise<string>;
}

/** Has the surrounding describe() run on an engine: a file in a temporary folder, or a PostgreSQL server. */
export function useDatabases(engine: Engine): TestDatabases {
  let databases: (TestDatabases & { end(): Promise<void> }) | undefined;
  const started = () => {
    if (databases === undefined) throw new Error("databases can be used only inside tests");
    return databases;
  };
  beforeAll(async () => {
    databases = await start(engine);
  });
  afterAll(() => databases?.end());
  return {
    get store() {
      return started().store;
    },
    get url() {
      return started().url;
    },
    newUrl: () => started().newUrl(),
    newMigratedUrl: () => started().newMigratedUrl(),
  };
}

async function start(engine: Engine): Promise<TestDatabases & { end(): Promise<void> }> {
  const { newUrl, newMigratedUrl, end } = engine === "sqlite" ? sqliteFiles() : await postgresDatabases();
  const url = await newMigratedUrl();
  const store = await openStore(url);
  return {
    store,
    url,
    newUrl,
    newMigratedUrl,
    async end() {
      await store.close();
      await end();
    },
  };
}

function sqliteFiles() {
  const folder = mkdtempSync(join(tmpdir(), "attune-sqlite-"));
  let count = 0;
  const newUrl = () => `sqlite:${join(folder, "made", `${count++}.db`)}`;
  return {
    newUrl,
    async newMigratedUrl() {
      const url = newUrl();
      await migrate(url);
      return url;
    },
    end: async () => rmSync(folder, { recursive: true }),
  };
}

/** A server, and a migrated database in it that nobody opens: others are copied from it. */
interface SharedServer extends PostgresServer {
  readonly template: string;
}

/** One for all test files of this process, with which it ends: to start a server and to migrate takes seconds. */
let server: Promise<SharedServer> | undefined;

async function startShared(): Promise<SharedServer> {
  const started = await startPostgres();
  const template = started.createDatabaseUrl();
  await migrate(template);
  return { ...started, template };
}

async function postgresDatabases() {
  server ??= startShared();
  const { createDatabaseUrl, template } = await server;
  const made: string[] = [];
  const newUrl = () => {
    const url = createDatabaseUrl();
    made.push(url);
    return url;
  };
  const administer = async (statements: readonly string[]) => {
    const client = new Client(template.replace(nameOf(template), "postgres"));
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  return {
    newUrl,
    async newMigratedUrl() {
      const url = newUrl();
      // Copies files, where PostgreSQL by itself copies page after page through its log.
      await administer([`create database ${nameOf(url)} template ${nameOf(template)} strategy file_copy`]);
      return url;
    },
    end: () => administer(made.map((url) => `drop database if exists ${nameOf(url)} with (force)`)),
  };
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
