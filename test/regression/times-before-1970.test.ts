import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readUsageReport } from "../../src/store/usage/read-usage-report.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { inferenceRow } from "../support/rows.ts";
import { startTestService, type TestService } from "../support/service.ts";

// Usage from before 1970 read weeks of feedback, which there are none of, and was UNAVAILABLE each time.
describe.each(ENGINES)("times before 1970 on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ databaseUrl: databases.url });
  });
  afterAll(() => service.close());

  it.each(["1970-01-01T00:00:00Z", "1969-12-28T00:00:00Z", "0001-01-01T00:00:00Z"])(
    "are the beginning of all that there is: %s",
    async (from) => {
      for (const path of [
        "usage",
        "usage?group_by=model,key",
        "usage?group_by=tag",
        "usage?group_by=session",
        "inferences",
      ]) {
        const url = `${service.url}/v1/${path}${path.includes("?") ? "&" : "?"}from=${from}`;
        const response = await fetch(url, { headers: service.headers });
        expect([path, response.status]).toEqual([path, 200]);
      }
    },
  );

  it("leave nothing out", async () => {
    const projectId = crypto.randomUUID();
    const row = inferenceRow({ projectId, tags: { team: "search" } });
    await writeBatch(databases.store, {
      inferences: [{ row, attempts: [], request: undefined, response: undefined }],
      feedback: [],
    });
    for (const groupBy of [[], ["key"], ["tag"]] as const) {
      const query = { projectId, from: new Date("0001-01-01T00:00:00Z"), to: new Date(), groupBy };
      expect((await readUsageReport(databases.store, query)).total.calls).toBe(1);
    }
  });
});
