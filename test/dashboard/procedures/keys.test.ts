import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { idAt, inferenceRow } from "../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { createPeople } from "../people.ts";

const DAY_MS = 86_400_000;

describe.each(ENGINES)("keys in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });

  afterAll(() => service.close());

  it("tell what each was used for in the last thirty days, in their own project", async () => {
    const { byRole, projectId } = await createPeople(service);
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    const tokens = { inputTokens: 10, cacheReadTokens: 200, cacheWriteTokens: 3000, outputTokens: 40_000 };
    const calls: [string, Partial<InferenceRow>][] = [
      [ago(31), { keyId: "used" }],
      [ago(29), { keyId: "used", ...tokens, costNanos: 700 }],
      [ago(0), { keyId: "used", ...tokens, costNanos: 60, status: "failed" }],
      [ago(0), { keyId: "free", inputTokens: null, outputTokens: null, costNanos: null }],
      [ago(0), { keyId: "used", projectId: "00000000-0000-7000-8000-000000000001" }],
    ];
    await writeBatch(service.store, {
      inferences: calls.map(([time, changes], index) => ({
        row: inferenceRow({ projectId, ...changes, id: idAt(time, index), startedAt: new Date(time) }),
        ...{ attempts: [], request: undefined, response: undefined },
      })),
      feedback: [],
    });
    expect((await byRole.viewer.query("keys.usage", { projectId })).data).toEqual({
      days: 30,
      keys: [
        { publicId: "free", calls: 1, tokens: 0, costNanos: null },
        { publicId: "used", calls: 2, tokens: 86_420, costNanos: 760 },
      ],
    });
  });
});
