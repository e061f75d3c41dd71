import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { ENGINES, useDatabases } from "../support/database.ts";
import { createCliFolder } from "../support/run-cli.ts";
import { createLedger, startLoad } from "./load.ts";
import { attemptsOf, compare } from "./parity.ts";
import { report } from "./report.ts";
import { startServed } from "./served.ts";

const ROUNDS = 20;
const CALLERS = 8;
/** A process is killed at any moment after so many answers. */
const ACKNOWLEDGED_A_ROUND = 50;
const KEY = "a-bootstrap-key-for-chaos";
const CANDIDATES = 3;
const MODELS = `models:
  - name: gpt-6-astra
    family: chat
    purpose: chaos
    contextWindow: 100000
    maxOutputTokens: 4096
    price: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite5m: 1.5625, cacheWrite1h: 2.5 }
    candidates: { max: ${CANDIDATES} }
    deployments: [ { upstream: sandbox, model: gpt-6-astra } ]
`;

// Nothing here is timed: both at once take half as long.
describe.concurrent.each(ENGINES)("kill -9 under load on %s", (engine) => {
  const databases = useDatabases(engine);

  it(`loses nothing that was acknowledged in ${ROUNDS} rounds, and doubles nothing`, async () => {
    const folder = createCliFolder();
    writeFileSync(join(folder.path, "attune.yaml"), MODELS);
    const environment = { ATTUNE_DATABASE_URL: databases.url, ATTUNE_BOOTSTRAP_KEY: KEY };
    const ledger = createLedger();
    for (let round = 0; round < ROUNDS; round++) {
      const served = await startServed(folder, environment);
      const load = startLoad({ url: served.url, key: KEY, ledger, callers: CALLERS, candidates: CANDIDATES });
      const before = ledger.inferences.length;
      await vi.waitUntil(() => ledger.inferences.length >= before + ACKNOWLEDGED_A_ROUND, {
        timeout: 120_000,
        interval: 5,
      });
      await delay(Math.random() * 300);
      await served.kill();
      await load.stop();
    }
    // What the last one left is taken over by the next.
    const last = await startServed(folder, environment);
    expect(await last.end()).toBe(0);
    await folder.remove();
    const { unacknowledged, inferences, feedback, ...lost } = await compare(databases.url, ledger);
    report(
      `kill -9 on ${engine}: ${ROUNDS} rounds, ${ledger.sent} requests sent, ${ledger.inferences.length} inferences and ` +
        `${ledger.feedback.length} feedback entries acknowledged; ${inferences} and ${feedback} rows, ` +
        `${lost.lostInferences} and ${lost.lostFeedback} lost, ${unacknowledged} rows whose callers got no whole answer`,
    );
    expect(lost).toEqual({ lostInferences: 0, lostFeedback: 0, rollupSurplus: 0 });
    // The best of several is one record, with the cost of all that were asked.
    expect(await attemptsOf(databases.url, ledger.chosen)).toEqual({
      [`${CANDIDATES}/1/${CANDIDATES}`]: ledger.chosen.length,
    });
    expect(ledger.chosen.length).toBeGreaterThan(ROUNDS);
    expect(ledger.inferences.length).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED_A_ROUND);
    // Each caller was cut off at most once a round.
    expect(unacknowledged).toBeLessThanOrEqual(ROUNDS * CALLERS);
    expect(unacknowledged).toBeGreaterThanOrEqual(0);
  });
});
