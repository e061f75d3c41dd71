import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { describeDatabaseUrl } from "../../src/store/database/database-url.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import { fillDatabase, readDatabase } from "../support/fill-database.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

let folder: CliFolder;
let server: PostgresServer;
let source: string;

beforeAll(async () => {
  folder = createCliFolder();
  server = await startPostgres();
  source = `sqlite:${folder.path}/source.db`;
  await withStore(source, (store) => fillDatabase(store, 1500));
}, 60_000);

afterAll(async () => {
  await folder.remove();
  await server.stop();
});

async function withStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

describe("attune migrate --from", { timeout: 120_000 }, () => {
  it("moves to PostgreSQL and back, killed on the way and run again, without a password on the screen", async () => {
    const target = server.createDatabaseUrl().replace("postgres@", "postgres:s3cret@");
    const killed = folder.start(["migrate", "--from", source, "--to", target]);
    await vi.waitUntil(() => killed.printed().includes("copies inference:"), { timeout: 60_000, interval: 1 });
    killed.process.kill("SIGKILL");
    await killed.result;
    const { status, stdout, stderr } = await folder.run(["migrate", "--from", source], { ATTUNE_DATABASE_URL: target });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`moves ${folder.path}/source.db to ${describeDatabaseUrl(target)}\n`);
    expect(stdout).toMatch(/compares inference: [\d,]+ of [\d,]+/);
    expect(stdout).toMatch(/copies inference: 1,500 of 1,500, [\d,]+ rows\/s\n/);
    expect(stdout).toMatch(/\nTABLE +ROWS\n(.*\n)*inference +1,500\n/);
    expect(stdout).toMatch(
      /\nsuccess: postgresql:\S+ has the same numbers of rows in all \d+ tables; it took [\d.]+ s\n$/,
    );
    expect(stdout).not.toContain("s3cret");
    const back = `sqlite:${folder.path}/back.db`;
    expect(await folder.run(["migrate", "--from", target, "--to", back])).toMatchObject({ status: 0, stderr: "" });
    const [before, after] = [await withStore(source, readDatabase), await withStore(back, readDatabase)];
    expect(after).toEqual(before);
  });

  it.each([
    [["--to", "sqlite:b.db"], "error: option '--to' needs --from"],
    [["--overwrite"], "error: option '--overwrite' needs --from"],
    [["--from", "sqlite:none.db", "--to", "sqlite:b.db"], "attune: the move failed: --from: there is no "],
    [["--from", "mysql://u:s3cret@h/d"], "attune: the move failed: --from: must be 'sqlite:"],
  ])("says what is wrong with %j, with status 1", async (flags, message) => {
    const { status, stderr } = await folder.run(["migrate", ...flags]);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/s3cret|\n\s+at /);
  });
});
