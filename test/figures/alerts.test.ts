import { describe, expect, it } from "vitest";
import { findConditions } from "../../src/alerts/evaluate.ts";
import { type AlertRule, RuleBook } from "../../src/alerts/rules.ts";
import type { RefusalReason } from "../../src/hub/refusals.ts";
import { CallSamples } from "../../src/store/alerts/call-samples.ts";
import { readCallCounts } from "../../src/store/alerts/read-call-counts.ts";
import type { InferenceRow } from "../../src/store/entities/inference.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { writeRefusals } from "../../src/store/refusals/write-refusals.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { idAt, refusedAt } from "../support/rows.ts";
import { makeHistory, Random } from "./oracle/history.ts";
import * as naive from "./oracle/naive.ts";
import { HOUR, MINUTE, sum } from "./oracle/naive.ts";

const projectId = DEFAULT_PROJECT.id;
const REASONS = ["unknown_key", "revoked_key", "limit"] as const satisfies readonly RefusalReason[];
const WINDOWS = [5, 15, 60];

/** What was written at one time, and seen by the next sample. */
interface Written {
  readonly atMs: number;
  readonly calls: readonly InferenceRow[];
  /** Refused calls with a key that is not good. */
  readonly refused: number;
}

/** The kinds of alerts about calls, as somebody would work them out who has the calls of a window. */
const ALERTS = {
  "error-rate": ({ answered, failed }) => failed / answered,
  latency: ({ calls }) => (naive.latency(calls, 0.95) ?? 0) / 1000,
  "canceled-cost": ({ calls }) => naive.cost(naive.withStatus(calls, "canceled")) / naive.cost(calls),
  "refused-keys": ({ refused }) => refused,
} as const satisfies Record<string, (window: ReturnType<typeof look>) => number>;
type Kind = keyof typeof ALERTS;

/** Returns what was written in a window. */
function look(written: readonly Written[], nowMs: number, minutes: number) {
  const seen = written.filter(({ atMs }) => nowMs - atMs < minutes * MINUTE);
  const calls = seen.flatMap((one) => one.calls);
  const failed = naive.failed(calls).length;
  return { calls, failed, answered: failed + naive.completed(calls).length, refused: sum(seen, (one) => one.refused) };
}

function ruleOf(kind: Kind, windowMinutes: number): AlertRule {
  const rule = { name: `${kind} ${windowMinutes}`, kind, windowMinutes, threshold: 1e-9, minCalls: 1 };
  return { ...rule, scope: "project", isEnabled: true };
}

describe.each(ENGINES)("figures of alerts on %s", (engine) => {
  const databases = useDatabases(engine);

  it("are what the calls of their windows add up to, across the ends of hours", async () => {
    const { store } = databases;
    const random = new Random(7);
    const [samples, written] = [new CallSamples(), [] as Written[]];
    // It has just begun an hour at the end, and an hour before that the first of them.
    const endMs = naive.floor(Date.now(), HOUR) - HOUR + 7 * MINUTE;
    const kinds = Object.keys(ALERTS) as Kind[];
    const rules = kinds.flatMap((kind) => WINDOWS.map((minutes) => ruleOf(kind, minutes)));
    let number = 0;
    let compared = 0;
    for (let nowMs = endMs - 80 * MINUTE; nowMs <= endMs; nowMs += random.pick([30_000, MINUTE, 2 * MINUTE])) {
      const history = makeHistory(random, { projectId, nowMs, count: random.below(12) });
      const calls = history.calls.map((call) => {
        number += 1;
        return { ...call, id: idAt(new Date(nowMs - random.below(20_000)).toISOString(), number) };
      });
      const refused = { reason: random.pick(REASONS), projectId, keyId: "keyA", calls: random.below(5) };
      const inferences = calls.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
      await writeBatch(store, { inferences, feedback: [] });
      await writeRefusals(store, { counts: [{ ...refused, ...refusedAt(nowMs) }], samples: [] });
      samples.add(await readCallCounts(store, nowMs), nowMs);
      // What came before it looked for the first time is of no window.
      if (nowMs > endMs - 80 * MINUTE) {
        written.push({ atMs: nowMs, calls, refused: refused.reason === "limit" ? 0 : refused.calls });
      }
      const conditions = findConditions(new RuleBook(rules, []), { calls: samples, signals: [], learning: new Map() });
      for (const { name, kind, windowMinutes } of rules) {
        const expected = ALERTS[kind as Kind](look(written, nowMs, windowMinutes));
        const shown = conditions.find((one) => one.projectId === projectId && one.rule === name)?.value ?? 0;
        const near = kind === "latency" ? 0.052 * expected + 1e-4 : 1e-9;
        const wanted = Number.isFinite(expected) ? expected : 0;
        expect([name, nowMs, Math.abs(shown - wanted) <= near, shown, wanted]).toEqual([
          name,
          nowMs,
          true,
          shown,
          wanted,
        ]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(500);
  });
});
