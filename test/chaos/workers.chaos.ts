import { setTimeout as delay } from "node:timers/promises";
import { Agent, errors, request } from "undici";
import { describe, expect, it, vi } from "vitest";
import { childrenOf } from "../support/children.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { createCliFolder } from "../support/run-cli.ts";
import { ask, createLedger, giveFeedback, type Ledger, startLoad, stream, type Target } from "./load.ts";
import { compare } from "./parity.ts";
import { report } from "./report.ts";
import { startServed } from "./served.ts";

/** On each of the two engines. */
const ROUNDS = 20;
const CALLERS = 8;
const ACKNOWLEDGED_A_ROUND = 50;
const KEY = "a-bootstrap-key-for-chaos";

/** So few that callers come to a worker that is new. */
const CALLS_OF_A_CONNECTION = 20;

/** A call without a word for so long is one that nobody answers. */
const SILENCE_MS = 20_000;

/** What went wrong for callers. */
interface Failures {
  /** The worker of each call that failed. */
  readonly workers: string[];
  /** Calls that were neither answered nor ended. */
  unanswered: number;
}

/** A caller with one connection at a time, who knows which worker that is with. */
async function callUntil(isOver: () => boolean, url: string, ledger: Ledger, failures: Failures): Promise<void> {
  while (!isOver()) {
    const agent = new Agent({ connections: 1, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });
    const target: Target = { url, key: KEY, agent };
    let instance: string | undefined;
    try {
      instance = await instanceOf(target);
      for (let turn = 0; turn < CALLS_OF_A_CONNECTION && !isOver(); turn++) {
        const id = turn % 3 === 0 ? await stream(target) : await ask(target);
        ledger.inferences.push(id);
        if (turn % 2 === 0) ledger.feedback.push(...(await giveFeedback(id, target)));
      }
    } catch (error) {
      // A connection that is handed to a worker in the moment of its end says nothing of any other one.
      if (instance !== undefined) failures.workers.push(instance);
      if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
        failures.unanswered += 1;
      // A service that is gone is not asked in a tight loop.
      await delay(20);
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

  it(`loses nothing in ${ROUNDS} rounds, and the other one's callers notice nothing`, async () => {
    const folder = createCliFolder();
    const environment = { ATTUNE_DATABASE_URL: databases.url, ATTUNE_BOOTSTRAP_KEY: KEY, ATTUNE_WORKERS: "2" };
    const served = await startServed(folder, environment);
    const pid = served.cli.process.pid ?? 0;
    const areBoth = async () => (await served.metric("attune_workers").catch(() => 0)) === 2;
    const ledger = createLedger();
    const failures: Failures = { workers: [], unanswered: 0 };
    let isOver = false;
    let others = 0;
    await vi.waitUntil(areBoth, { timeout: 120_000, interval: 50 });
    const callers = Array.from({ length: CALLERS }, () => callUntil(() => isOver, served.url, ledger, failures));
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const before = ledger.inferences.length;
        await vi.waitUntil(() => ledger.inferences.length >= before + ACKNOWLEDGED_A_ROUND, {
          timeout: 120_000,
          interval: 5,
        });
        await delay(Math.random() * 300);
        const failedBefore = failures.workers.length;
        const workers = childrenOf(pid);
        process.kill(workers[round % 2] ?? 0, "SIGKILL");
        const isReplaced = async () => childrenOf(pid).some((child) => !workers.includes(child)) && (await areBoth());
        await vi.waitUntil(isReplaced, { timeout: 120_000, interval: 50 });
        const ofRound = new Set(failures.workers.slice(failedBefore));
        // One worker was killed: whoever was with the other one was not disturbed.
        others += Math.max(0, ofRound.size - 1);
      }
    } finally {
      isOver = true;
      await Promise.all(callers);
    }
    expect(await served.end()).toBe(0);
    await folder.remove();
    const { unacknowledged, inferences, feedback, ...lost } = await compare(databases.url, ledger);
    report(
      `kill -9 of one worker of two on ${engine}: ${ROUNDS} rounds, ${ledger.inferences.length} inferences and ${ledger.feedback.length} feedback entries ` +
        `acknowledged; ${inferences} and ${feedback} rows, ${lost.lostInferences} and ${lost.lostFeedback} lost, ${failures.workers.length} failed calls of ${new Set(failures.workers).size} workers that were killed, ${others} of the others', ${failures.unanswered} without an answer`,
    );
    expect(lost).toEqual({ lostInferences: 0, lostFeedback: 0, rollupSurplus: 0 });
    expect(others).toBe(0);
    expect(failures.unanswered).toBe(0);
  });
});

/** Each starts two processes and ends them all. */
const ROUNDS_OF_ALL = 6;

describe.concurrent.each(ENGINES)("kill -9 of the process that writes what the workers record, on %s", (engine) => {
  const databases = useDatabases(engine);

  it(`loses nothing in ${ROUNDS_OF_ALL} rounds: the workers end too, and the next ones write what is left`, async () => {
    const folder = createCliFolder();
    const environment = { ATTUNE_DATABASE_URL: databases.url, ATTUNE_BOOTSTRAP_KEY: KEY, ATTUNE_WORKERS: "2" };
    const ledger = createLedger();
    for (let round = 0; round < ROUNDS_OF_ALL; round++) {
      const served = await startServed(folder, environment);
      const workers = childrenOf(served.cli.process.pid ?? 0);
      const load = startLoad({ url: served.url, key: KEY, ledger, callers: CALLERS });
      const before = ledger.inferences.length;
      await vi.waitUntil(() => ledger.inferences.length >= before + ACKNOWLEDGED_A_ROUND, {
        timeout: 120_000,
        interval: 5,
      });
      await delay(Math.random() * 300);
      await served.kill();
      await load.stop();
      await vi.waitUntil(() => workers.every((worker) => !isRunning(worker)), { timeout: 120_000, interval: 20 });
    }
    const last = await startServed(folder, environment);
    expect(await last.end()).toBe(0);
    await folder.remove();
    const { unacknowledged, inferences, feedback, ...lost } = await compare(databases.url, ledger);
    report(
      `kill -9 of all workers' writer on ${engine}: ${ROUNDS_OF_ALL} rounds, ${ledger.inferences.length} inferences and ${ledger.feedback.length} feedback entries ` +
        `acknowledged; ${inferences} and ${feedback} rows, ${lost.lostInferences} and ${lost.lostFeedback} lost, ${unacknowledged} rows whose callers got no whole answer`,
    );
    expect(lost).toEqual({ lostInferences: 0, lostFeedback: 0, rollupSurplus: 0 });
    expect(unacknowledged).toBeLessThanOrEqual(ROUNDS_OF_ALL * CALLERS);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
