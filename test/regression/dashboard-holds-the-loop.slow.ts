import { afterAll, beforeAll, expect, it } from "vitest";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople } from "../dashboard/people.ts";
import { writeManyInferences } from "../support/many-inferences.ts";
import { longestTurnOf } from "../support/watch-turns.ts";

/**
 * What of one turn a dashboard may take; a tenth of a second is what people notice, and calls are timed in
 * milliseconds.
 */
const LONGEST_MS = 50;

const MESSAGE = { model: "attune/claude-haiku-5-5", max_tokens: 5, messages: [{ role: "user", content: "Hello" }] };

const ASKED: [path: string, input: object][] = [
  ...["1h", "7d", "30d", "1y"].map((range): [string, object] => ["overview.figures", { range, group: "model" }]),
  ["overview.names", {}],
  ["models.compare", { range: "1y" }],
  ["history.list", { filter: {} }],
  ["history.list", { filter: { text: "nobody ever said this" } }],
  ["history.facets", {}],
  ["feedback.summary", { range: "1y" }],
  ["workloads.list", { range: "1y" }],
  ["keys.usage", { publicIds: ["abcdefghijkl"] }],
];

let service: DashboardService;

beforeAll(async () => {
  service = await startDashboardService();
});

afterAll(() => service.close());

// SQLite answers within the turn: 200 to 365 ms passed without another one on 300,000 rows.
it("the slowest pages of the dashboard leave the event loop to calls", async () => {
  const { projectId, byRole } = await createPeople(service);
  await writeManyInferences(service.store, { projectId, lastHour: 10_000, lastYear: 290_000, bodies: 5000 });
  const { key } = await createKey(service.store, { name: "caller" });
  const call = async () => {
    const answer = await fetch(`${service.url}/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(MESSAGE),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  /** One after another: the loop may do in one turn what it has to do for several requests. */
  const ask = async () => {
    const statuses: number[] = [];
    for (const [path, input] of ASKED) {
      statuses.push((await byRole.viewer.query(path, { projectId, ...input })).status);
    }
    return statuses;
  };
  const openPages = async () => {
    let isOver = false;
    const calls: number[] = [];
    const asked = ask().finally(() => {
      isOver = true;
    });
    while (!isOver) calls.push(await call());
    return { statuses: await asked, calls };
  };
  await openPages();
  const openAndCheck = async () => {
    const { statuses, calls } = await openPages();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(new Set(calls)).toEqual(new Set([200]));
    expect(calls.length).toBeGreaterThan(20);
  };
  expect(await longestTurnOf(openAndCheck, LONGEST_MS)).toBeLessThan(LONGEST_MS);
});
