import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createAlertStore } from "../../../src/store/alerts/alert-store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("the alert store on %s", (engine) => {
  const databases = useDatabases(engine);

  it("reads calls by the store itself where there are few rows, and by the reads, which have a thread, where not", async () => {
    const { store } = databases;
    let read = 0;
    const readCallCounts = async () => {
      read += 1;
      return [];
    };
    const alerts = createAlertStore(store, { reads: { readCallCounts } });
    await alerts.sampleCalls(Date.now());
    expect(read).toBe(0);

    const createdAt = new Date();
    const projects = Array.from({ length: 1000 }, (_, at) => ({ id: newId(), name: `project ${at}`, createdAt }));
    await store.query().insertInto("Project").values(projects).execute();
    await alerts.sampleCalls(Date.now());
    expect(read).toBe(1);
  });
});
