import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createMissingDatabase } from "../../../src/store/database/create-database.ts";
import { inspectDatabase } from "../../../src/store/database/inspect.ts";
import { migrate } from "../../../src/store/database/migrate.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const run = promisify(execFile);

describe.each(ENGINES)("openStore() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("creates the database with the default project, and opens it again as it was", async () => {
    const url = databases.newUrl();
    for (const _time of ["first", "second"]) {
      const store = await openStore(url);
      expect(store.engine).toBe(engine);
      expect(await store.query().selectFrom("Project").select(["id", "name"]).execute()).toEqual([DEFAULT_PROJECT]);
      await store.close();
    }
  });

  it("leaves no difference between the migrated schema and the entities", async () => {
    const orm = await connectOrm(databases.url);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe("");
    expect(await orm.migrator.checkSchema()).toBe(false);
    await orm.close(true);
  });

  it("refuses a database that is behind, where it may not migrate it", async () => {
    const error = `the database lacks ${MIGRATIONS[engine].length} migration(s): run 'attune migrate'`;
    const url = databases.newUrl();
    // The database itself is there, and empty.
    await createMissingDatabase(url);
    await expect(openStore(url, { migrate: false })).rejects.toThrow(error);
    await migrate(url);
    await (await openStore(url, { migrate: false })).close();
  });

  /** Makes a database that a newer version has migrated by statements. */
  async function newerDatabase(...statements: readonly string[]): Promise<string> {
    const url = databases.newUrl();
    await migrate(url);
    const orm = await connectOrm(url);
    await orm.migrator.logMigration("Migration29990101000000_later");
    for (const statement of statements) await orm.em.getConnection().execute(statement);
    await orm.close(true);
    return url;
  }

  it("goes on with a database to which a newer version has added what it need not know", async () => {
    const url = await newerDatabase(
      "alter table project add column motto text",
      "alter table project add column size int not null default 1",
      "create table later (id int not null primary key, name text not null)",
    );
    const store = await openStore(url);
    await store.query().insertInto("Project").values({ id: newId(), name: "search", createdAt: new Date() }).execute();
    await store.close();
    await (await openStore(url, { migrate: false })).close();
    expect(await migrate(url)).toEqual([]);
    expect(await inspectDatabase(url)).toMatchObject({ kind: "ready" });
  });

  it.each([
    ["lacks a column", ["alter table project rename column name to title"], "it lacks project.name"],
    [
      "requires a column that it does not know",
      [
        "drop table retention_mark",
        "create table retention_mark (kind text, retention_days int, deleted_before text, confirmed_before text, " +
          "ran_at text, reason text not null)",
      ],
      "each row needs retention_mark.reason",
    ],
    [
      "requires a value where it may write null",
      [
        "drop table retention_mark",
        "create table retention_mark (kind text, retention_days int, deleted_before text, " +
          "confirmed_before text not null, ran_at text)",
      ],
      "each row needs retention_mark.confirmed_before",
    ],
    [
      "has not all of its migrations",
      ["delete from mikro_orm_migrations where name like '%installation_key'"],
      /it has no Migration\d+_installation_key/,
    ],
  ])("refuses a database of a newer version that %s", async (_name, statements, reason) => {
    const url = await newerDatabase(...statements);
    const failure = await openStore(url).catch((error: Error) => error.message);
    expect(failure).toContain("migrated by a newer Attune (Migration29990101000000_later; ");
    expect(failure).toMatch(reason);
    expect(failure).toContain("): use that version or a newer one");
  });

  it("undoes a transaction that fails", async () => {
    const { store } = databases;
    const project = { id: newId(), name: "short-lived", createdAt: new Date() };
    const failing = store.transaction(async (tables) => {
      await tables.insertInto("Project").values(project).execute();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await store.query().selectFrom("Project").selectAll().where("id", "=", project.id).execute()).toEqual([]);
  });

  it("runs transactions that begin at the same time", async () => {
    const { store } = databases;
    const names = ["a", "b", "c", "d"];
    await Promise.all(
      names.map((name) =>
        store.transaction(async (tables) => {
          await tables.insertInto("Project").values({ id: newId(), name, createdAt: new Date() }).execute();
          await tables.selectFrom("Project").selectAll().execute();
        }),
      ),
    );
    const rows = await store.query().selectFrom("Project").select("name").where("name", "in", names).execute();
    expect(rows.map(({ name }) => name).sort()).toEqual(names);
  });

  it("waits for another connection's transaction, and lets other work go on meanwhile", async () => {
    const other = await openStore(databases.url);
    const order: string[] = [];
    const write = (tables: ReturnType<typeof other.query>) =>
      tables.updateTable("Project").set({ createdAt: new Date() }).where("id", "=", DEFAULT_PROJECT.id).execute();
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = databases.store.transaction(async (tables) => {
      await write(tables);
      begun.resolve();
      await mayEnd.promise;
      order.push("first");
    });
    await begun.promise;
    const second = other.transaction(write).then(() => order.push("second"));
    await delay(10);
    order.push("meanwhile");
    mayEnd.resolve();
    await Promise.all([first, second]);
    await other.close();
    expect(order).toEqual(["meanwhile", "first", "second"]);
  });

  it("keeps times to the millisecond", async () => {
    const { store } = databases;
    const project = { id: newId(), name: "timed", createdAt: new Date("2026-03-29T01:59:59.987Z") };
    await store.query().insertInto("Project").values(project).execute();
    const saved = store.query().selectFrom("Project").select("createdAt").where("id", "=", project.id);
    expect(await saved.execute()).toEqual([{ createdAt: project.createdAt }]);
  });
});

describe.each(ENGINES)("migrate() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("applies what is pending, once", async () => {
    const url = databases.newUrl();
    expect(await migrate(url)).toEqual(MIGRATIONS[engine].map(({ name }) => name));
    expect(await migrate(url)).toEqual([]);
  });

  it("lets several processes start at once: one of them migrates", async () => {
    const url = databases.newUrl();
    const program = join(import.meta.dirname, "..", "..", "support", "migrate-process.ts");
    const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, [program, url])));
    const applied = outputs.map(({ stdout }) => Number(stdout)).sort();
    expect(applied).toEqual([0, 0, MIGRATIONS[engine].length]);
  });
});

describe("openStore()", () => {
  it("opens a database in memory, apart from every other", async () => {
    const first = await openStore("sqlite::memory:");
    const second = await openStore("sqlite::memory:");
    await first.query().insertInto("Project").values({ id: newId(), name: "mine", createdAt: new Date() }).execute();
    expect(first.location).toBe("memory");
    expect(await second.query().selectFrom("Project").select("name").execute()).toEqual([{ name: "default" }]);
    await first.close();
    await second.close();
  });

  it("refuses a scheme that it does not know", async () => {
    await expect(openStore("mysql://localhost/attune")).rejects.toThrow("its scheme is 'mysql'");
  });

  it("says which database does not answer, without its password", async () => {
    const failure = await openStore("postgresql://user:secret@127.0.0.1:1/attune").catch((error: Error) => error);
    expect(String(failure)).toMatch(/^Error: cannot open the database at postgresql:\/\/127\.0\.0\.1:1\/attune: /);
    expect(String(failure)).not.toContain("secret");
  });

  it("says which file cannot be opened", async () => {
    const place = "cannot open the database at /etc/passwd/attune.db: ";
    await expect(openStore("sqlite:/etc/passwd/attune.db")).rejects.toThrow(place);
  });
});
