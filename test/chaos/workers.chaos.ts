import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { describe, expect, it, vi } from "vitest";
import { childrenOf } from "../support/children.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { createCliFolder } from "../support/run-cli.ts";
import { ask, createLedger, giveFeedback, type Ledger, stream, type Target } from "./load.ts";
import { compare } from "./parity.ts";
import { report } from "./report.ts";
import { startServed } from "./served.ts";

/** On each of the two engines. */
const ROUNDS = 10;
const CALLERS = 8;
const ACKNOWLEDGED_A_ROUND = 50;
const KEY = "a-bootstrap-key-for-chaos";

/** A caller with one connection at a time, who knows which worker that is with; adds that to `failed` where a call fails. */
async function callUntil(isOver: () => boolean, url: string, ledger: Ledger, failed: string[]): Promise<void> {
  for (let agent = new Agent({ connections: 1 }); !isOver(); agent = new Agent({ connections: 1 })) {
    const target: Target = { url, key: KEY, agent };
    // A connection that is handed to a worker in the moment of its end says nothing of any other one.
    const instance = await instanceOf(target).catch(() => undefined);
    try {
      for (let turn = 0; instance !== undefined && !isOver(); turn++) {
        const id = turn % 3 === 0 ? await stream(target) : await ask(target);
        ledger.inferences.push(id);
        if (turn % 2 === 0) ledger.feedback.push(...(await giveFeedback(id, target)));
      }
    } catch {
      if (instance !== undefined) failed.push(instance);
    }
    await agent.destroy();
  }
}

async function instanceOf({ url, agent }: Target): Promise<string> {
  const { body } = await request(`${url}/healthz`, { dispatcher: agent });
  return ((await body.json()) as { instance: string }).instance;
}

// Nothing here is timed: both at once take half as long.
describe.concurrent.each(ENGINES)("kill -9 of one worker of two under load on %s", (engine) => {
  const databases = useDatabases(engine);

  it(`loses nothing in ${ROUNDS} rounds, and the other one's callers notice nothing`, {
    timeout: 400_000,
  }, async () => {
    const folder = createCliFolder();
    const environment = { ATTUNE_DATABASE_URL: databases.url, ATTUNE_BOOTSTRAP_KEY: KEY, ATTUNE_WORKERS: "2" };
    const served = await startServed(folder, environment);
    const pid = served.cli.process.pid ?? 0;
    const areBoth = async () => (await served.metric("attune_workers").catch(() => 0)) === 2;
    const ledger = createLedger();
    const failed: string[] = [];
    let isOver = false;
    let others = 0;
    await vi.waitUntil(areBoth, { timeout: 60_000, interval: 50 });
    const callers = Array.from({ length: CALLERS }, () => callUntil(() => isOver, served.url, ledger, failed));
    for (let round = 0; round < ROUNDS; round++) {
      const before = ledger.inferences.length;
      await vi.waitUntil(() => ledger.inferences.length >= before + ACKNOWLEDGED_A_ROUND, {
        ...{ timeout: 60_000, interval: 5 },
      });
      await delay(Math.random() * 300);
      const failedBefore = failed.length;
      const workers = childrenOf(pid);
      process.kill(workers[round % 2] ?? 0, "SIGKILL");
      const isReplaced = async () => childrenOf(pid).some((child) => !workers.includes(child)) && (await areBoth());
      await vi.waitUntil(isReplaced, { timeout: 60_000, interval: 50 });
      const ofRound = new Set(failed.slice(failedBefore));
      // One worker was killed: whoever was with the other one was not disturbed.
      others += Math.max(0, ofRound.size - 1);
    }
    isOver = true;
    await Promise.all(callers);
    expect(await served.end()).toBe(0);
    await folder.remove();
    const { unacknowledged, inferences, feedback, ...lost } = await compare(databases.url, ledger);
    report(
      `kill -9 of one worker of two on ${engine}: ${ROUNDS} rounds, ${ledger.inferences.length} inferences and ${ledger.feedback.length} feedback entries ` +
        `acknowledged; ${inferences} and ${feedback} rows, ${lost.lostInferences} and ${lost.lostFeedback} lost, ${failed.length} failed calls of ${new Set(failed).size} workers that were killed, ${others} of the others'`,
    );
    expect(lost).toEqual({ lostInferences: 0, lostFeedback: 0, rollupSurplus: 0 });
    expect(others).toBe(0);
  });
});
