import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
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
}

/** Has the surrounding describe() run on an engine: a file in a temporary folder, or a PostgreSQL server. */
export function useDatabases(engine: Engine): TestDatabases {
  let databases: (TestDatabases & { end(): Promise<void> }) | undefined;
  const started = () => {
    if (databases === undefined) throw new Error("databases can be used only inside tests");
    return databases;
  };
  if (engine === "postgres") serverUsers += 1;
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
  };
}

async function start(engine: Engine): Promise<TestDatabases & { end(): Promise<void> }> {
  const { newUrl, end } = engine === "sqlite" ? sqliteFiles() : await postgresDatabases();
  const url = newUrl();
  const store = await openStore(url);
  return {
    store,
    url,
    newUrl,
    async end() {
      await store.close();
      await end();
    },
  };
}

function sqliteFiles() {
  const folder = mkdtempSync(join(tmpdir(), "attune-sqlite-"));
  let count = 0;
  return {
    newUrl: () => `sqlite:${join(folder, "made", `${count++}.db`)}`,
    end: async () => rmSync(folder, { recursive: true }),
  };
}

/** One server for all of a test file: it ends with the last describe() that uses it. */
let server: Promise<PostgresServer> | undefined;
let serverUsers = 0;

async function postgresDatabases() {
  server ??= startPostgres();
  const { createDatabaseUrl, stop } = await server;
  return {
    newUrl: createDatabaseUrl,
    async end() {
      serverUsers -= 1;
      if (serverUsers > 0) return;
      // The next test file of this process starts its own.
      server = undefined;
      await stop();
    },
  };
}
