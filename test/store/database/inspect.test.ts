import { describe, expect, it } from "vitest";
import { createMissingDatabase } from "../../../src/store/database/create-database.ts";
import { inspectDatabase } from "../../../src/store/database/inspect.ts";
import { migrate } from "../../../src/store/database/migrate.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("inspectDatabase() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("says that a database answers, and what its clock shows", async () => {
    const state = await inspectDatabase(databases.url);
    expect(state).toEqual({ kind: "ready", nowMs: engine === "postgres" ? expect.any(Number) : undefined });
    if (state.kind === "ready") expect(Math.abs((state.nowMs ?? Date.now()) - Date.now())).toBeLessThan(60_000);
  });

  it("does not make what is absent", async () => {
    const url = databases.newUrl();
    expect(await inspectDatabase(url)).toEqual({ kind: "absent" });
    expect(await inspectDatabase(url)).toEqual({ kind: "absent" });
  });

  it("goes on with what a newer version has added, and refuses a database that it has changed", async () => {
    const url = databases.newUrl();
    await migrate(url);
    const orm = await connectOrm(url);
    await orm.migrator.logMigration("Migration29990101000000_later");
    expect(await inspectDatabase(url)).toMatchObject({ kind: "ready" });
    await orm.em.getConnection().execute("alter table user_account rename column email to address");
    await orm.close(true);
    const message = expect.stringContaining(
      "migrated by a newer Attune (Migration29990101000000_later; it lacks user_account.email)",
    );
    expect(await inspectDatabase(url)).toEqual({ kind: "unusable", message });
  });

  it.runIf(engine === "postgres")(
    "tells that an empty database lacks its migrations, and leaves it empty",
    async () => {
      const url = databases.newUrl();
      await createMissingDatabase(url);
      const message = expect.stringMatching(/^the database lacks \d+ migration\(s\): run 'attune migrate'$/);
      expect(await inspectDatabase(url)).toEqual({ kind: "unusable", message });
      expect(await inspectDatabase(url)).toEqual({ kind: "unusable", message });
    },
  );
});

describe("inspectDatabase()", () => {
  it("says why a server cannot be reached", async () => {
    expect(await inspectDatabase("postgresql://u:pw@127.0.0.1:1/x")).toEqual({
      kind: "unusable",
      message: "connect ECONNREFUSED 127.0.0.1:1",
    });
  });
});
