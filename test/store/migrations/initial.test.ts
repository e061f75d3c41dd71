import { describe, expect, it } from "vitest";
import { inspectDatabase } from "../../../src/store/database/inspect.ts";
import { applyMigrations, migrate } from "../../../src/store/database/migrate.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { listPartitions } from "../../../src/store/partitions/list-partitions.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("the initial migration on %s", (engine) => {
  const databases = useDatabases(engine);

  it("leaves nothing when it goes back, and comes again", async () => {
    const url = databases.newUrl();
    const names = MIGRATIONS[engine].map(({ name }) => name);
    expect(await migrate(url)).toEqual(names);
    const orm = await connectOrm(url);
    const tables = async () => {
      const list =
        engine === "sqlite"
          ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
          : "select tablename as name from pg_tables where schemaname = 'public'";
      const rows: { name: string }[] = await orm.em.getConnection().execute(list);
      return rows.map(({ name }) => name).sort();
    };
    const before = await tables();
    for (const name of names.toReversed()) await orm.migrator.down({ migrations: [name] });
    expect(await tables()).toEqual(["mikro_orm_migrations"]);
    expect(await applyMigrations(orm, engine)).toEqual(names);
    expect(await tables()).toEqual(before);
    await orm.close(true);
  });

  it("is not applied to a database of other migrations, which is told of", async () => {
    const url = await databases.newMigratedUrl();
    const orm = await connectOrm(url);
    await orm.em
      .getConnection()
      .execute("update mikro_orm_migrations set name = 'Migration20261121030514_first' where id = 1");
    await orm.close(true);
    await expect(migrate(url)).rejects.toThrow(
      "made by an Attune from before the first release (Migration20261121030514_first)",
    );
  });

  it("is told of where it made another schema under the same name, and nothing is changed", async () => {
    const url = await databases.newMigratedUrl();
    const orm = await connectOrm(url);
    const [, second] = MIGRATIONS[engine].map(({ name }) => name);
    await orm.em.getConnection().execute("alter table project rename column name to former_name");
    await orm.migrator.down({ migrations: [second ?? ""] });
    const why = "made by an Attune from before the first release (it lacks project.name)";
    await expect(migrate(url)).rejects.toThrow(why);
    const executed = await orm.migrator.getExecuted();
    expect(executed.map(({ name }) => name)).not.toContain(second);
    await orm.close(true);
    await expect(openStore(url, { migrate: false })).rejects.toThrow(/migration|lacks project\.name/);
    expect(await inspectDatabase(url)).toMatchObject({ kind: "unusable" });
  });

  it.runIf(engine === "postgres")("makes partitions of the present time and of that ahead, without gaps", async () => {
    const days = { inference: 7, inference_attempt: 7, inference_tag: 7, inference_body: 1 };
    for (const [table, daysEach] of Object.entries(days)) {
      const partitions = await listPartitions(databases.store, table);
      const bounds = partitions.flatMap(({ bounds }) => bounds ?? []).sort((a, b) => (a.fromId < b.fromId ? -1 : 1));
      expect(partitions.length).toBe(bounds.length + 1);
      expect(bounds.length).toBe(daysEach === 7 ? 5 : 29);
      const starts = bounds.map(({ fromId }) => millisOf(fromId));
      const now = Date.now();
      expect(starts[0]).toBeLessThanOrEqual(now);
      expect(starts[0]).toBeGreaterThan(now - daysEach * DAY_MS);
      expect(starts.map((start) => start % DAY_MS)).toEqual(bounds.map(() => 0));
      if (daysEach === 7) expect(starts.map((start) => new Date(start).getUTCDay())).toEqual(bounds.map(() => 1));
      const ends = bounds.map(({ beforeId }) => millisOf(beforeId));
      expect(ends).toEqual(starts.map((start) => start + daysEach * DAY_MS));
      expect(ends.slice(0, -1)).toEqual(starts.slice(1));
    }
  });
});

const DAY_MS = 86_400_000;

/** The time in an id: its first 48 bits. */
function millisOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
