import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import { readUsage } from "../../../src/store/read/queries/usage.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { buildWeeks } from "../../../src/store/write/rollups/build-weeks.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { goBack } from "../../support/go-back.ts";
import { idAt, inferenceRow } from "../../support/rows.ts";

describe.each(ENGINES)("the migration from months to weeks on %s", (engine) => {
  const databases = useDatabases(engine);

  it("opens a database that has months, and makes weeks of its days", async () => {
    const url = await databases.newMigratedUrl();
    const project = { id: newId(), name: "old", createdAt: new Date() };
    const old = await openStore(url);
    await old.query().insertInto("Project").values(project).execute();
    const rows = ["2026-01-20T10:00:00Z", "2026-01-26T10:00:00Z", "2026-02-20T10:00:00Z"].map((time, index) =>
      inferenceRow({ projectId: project.id, id: idAt(time, index), startedAt: new Date(time) }),
    );
    const inferences = rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(old, { inferences, feedback: [] });
    await old.close();
    const orm = await connectOrm(url);
    await goBack(orm, engine, "_weeks");
    await orm.em.getConnection().execute("select calls from usage_month");
    await orm.close(true);

    const store = await openStore(url);
    expect(await buildWeeks(store, new Date("2026-03-02T00:00:00Z"))).toBe(3);
    const range = { from: new Date("2026-01-01T00:00:00Z"), to: new Date("2026-03-01T00:00:00Z") };
    const usage = await readUsage(store, { projectId: project.id, range, bucket: "week", group: "none" });
    expect(usage.map(({ start, calls }) => [start?.toISOString(), calls])).toEqual([
      ["2026-01-19T00:00:00.000Z", 1],
      ["2026-01-26T00:00:00.000Z", 1],
      ["2026-02-16T00:00:00.000Z", 1],
    ]);
    await expect(store.fork().getConnection().execute("select calls from usage_month")).rejects.toThrow("usage_month");
    await store.close();
  });
});
