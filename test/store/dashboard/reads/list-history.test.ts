import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { listHistory } from "../../../../src/store/dashboard/reads/list-history.ts";
import { type HistoryOrder, sortHistory } from "../../../../src/store/dashboard/reads/sort-history.ts";
import { DEFAULT_PROJECT } from "../../../../src/store/entities/project.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";

const TIME = "2026-11-20T10:00:00.000Z";
const OTHER_PROJECT = "019f0000-0000-7000-8000-00000000000f";
const id = (number: number): string => idAt(TIME, number);

const ROWS = [
  inferenceRow({ id: id(1), requestId: "svc-1/req:7" }),
  inferenceRow({ id: id(2), requestId: "svc-1/req:7" }),
  inferenceRow({ id: id(3), requestId: id(9) }),
  inferenceRow({ id: id(4) }),
  inferenceRow({ id: id(5), requestId: "svc-1/req:7", projectId: OTHER_PROJECT }),
];

describe.each(ENGINES)("listHistory() on %s", (engine) => {
  const databases = useDatabases(engine);

  beforeAll(() =>
    writeBatch(databases.store, {
      inferences: ROWS.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    }),
  );

  it.each([
    ["an inference's id", id(4), [4]],
    ["an inference's id in capitals", id(4).toUpperCase(), [4]],
    ["the id of a caller's request, the latest first", "svc-1/req:7", [2, 1]],
    ["the id that Attune gave to a request", id(9), [3]],
    ["an id that there is not", id(8), []],
    ["a text that might be an id", "svc-2", []],
  ])("finds requests by %s", async (_name, text, numbers) => {
    const { rows } = await listHistory(databases.store, { projectId: DEFAULT_PROJECT.id, limit: 10, text });
    expect(rows.map((row) => Number(row.id.slice(-12)))).toEqual(numbers);
  });

  it("puts the newest of a filter in another order, and leaves out what has no value", async () => {
    const projectId = newId();
    const sizes = { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
    const rows = [
      inferenceRow({ id: id(21), projectId, endUserId: "ann", costNanos: 5, latencyMs: 300, ...sizes }),
      inferenceRow({
        id: id(22),
        projectId,
        endUserId: "ann",
        costNanos: null,
        latencyMs: 100,
        ...sizes,
        cacheReadTokens: 90,
      }),
      inferenceRow({ id: id(23), projectId, costNanos: 9, latencyMs: 200, ...sizes, outputTokens: 50 }),
      inferenceRow({
        id: id(24),
        projectId,
        endUserId: "ann",
        costNanos: 99,
        latencyMs: 9000,
        ...sizes,
        workload: "other",
      }),
    ];
    const inferences = rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(databases.store, { inferences, feedback: [] });
    const filter = { workload: rows[0]?.workload ?? "" };
    const found = async (order: HistoryOrder, limit = 10) => {
      const page = await sortHistory(databases.store, { projectId, limit, order, filter });
      expect(page.looked).toBe(3);
      return page.rows.map((row) => Number(row.id.slice(-12)));
    };
    expect(await found("cost")).toEqual([23, 21]);
    expect(await found("duration")).toEqual([21, 23, 22]);
    expect(await found("tokens")).toEqual([22, 23, 21]);
    expect(await found("oldest", 2)).toEqual([21, 22]);
    const ofUser = { projectId, limit: 10, order: "cost", facts: { endUserId: "ann" } } as const;
    const page = await sortHistory(databases.store, ofUser);
    expect([page.looked, ...page.rows.map((row) => Number(row.id.slice(-12)))]).toEqual([3, 24, 21]);
  });

  it("reads the values that it sorts by where it finds the requests, also by tags", async () => {
    const projectId = newId();
    const tags = { team: "search" };
    const rows = [5, 9, 7].map((costNanos, at) => inferenceRow({ id: id(31 + at), projectId, tags, costNanos }));
    const feedback = rows.map((row, at) =>
      feedbackRow({ id: id(41 + at), projectId, inferenceId: row.id, tags: { channel: "mail" } }),
    );
    const inferences = rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(databases.store, { inferences, feedback });
    let statements = 0;
    const query = () => {
      statements += 1;
      return databases.store.query();
    };
    const counting = Object.assign(Object.create(databases.store), { engine, query });
    const sort = async (order: HistoryOrder, by: object) => {
      statements = 0;
      const page = await sortHistory(counting, { projectId, limit: 10, order, ...by });
      return { numbers: page.rows.map((row) => Number(row.id.slice(-12))), statements };
    };
    const ofCall = { facts: { callTag: { name: "team", value: "search" } } };
    for (const by of [ofCall, { tag: { key: "channel", value: "mail" } }]) {
      const [byTime, byCost] = [await sort("oldest", by), await sort("cost", by)];
      expect([byTime.numbers, byCost.numbers]).toEqual([
        [31, 32, 33],
        [32, 33, 31],
      ]);
      expect(byCost.statements).toBe(byTime.statements);
    }
  });
});
