import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { readWorkload } from "../../src/store/learning/workload-reads.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { MODELS, said, served, write } from "../store/learning/fill.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { report } from "./report.ts";

const ROUNDS = 20;
/** Processes that learn at a time; each round one of them dies. */
const LEARNERS = 2;

// Nothing here is timed: both at once take half as long.
describe.concurrent.each(ENGINES)("kill -9 of those who learn, under load, on %s", (engine) => {
  const databases = useDatabases(engine);

  async function startLearner(): Promise<ChildProcess> {
    const file = join(import.meta.dirname, "learning-process.ts");
    const child = spawn(process.execPath, [file, databases.url, ...MODELS], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    return child;
  }

  it(`counts all that was written exactly once in ${ROUNDS} rounds`, async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const counts = [0, 0, 0];
    const sums = [0, 0, 0];
    let requests = 0;
    let isEnding = false;
    const writing = (async () => {
      while (!isEnding) {
        const rows = Array.from({ length: 20 }, (_, index) => served({ ...key, servedModel: MODELS[index % 3] ?? "" }));
        // One in five comes without feedback.
        const spoken = rows.filter((_, index) => index % 5 !== 0);
        const feedback = spoken.map((row, index) => said(row, index % 3 !== 0));
        for (const [index, row] of spoken.entries()) {
          const arm = MODELS.indexOf(row.servedModel);
          counts[arm] = (counts[arm] ?? 0) + 1;
          sums[arm] = (sums[arm] ?? 0) + Number(index % 3 !== 0);
        }
        requests += rows.length;
        const inferences = rows.map(write);
        // Of one, the feedback comes first.
        await writeBatch(store, { inferences: inferences.filter((_, index) => index !== 1), feedback });
        // A batch whose commit was lost is written again.
        await writeBatch(store, { inferences, feedback });
        await delay(5);
      }
    })();
    const learners = await Promise.all(Array.from({ length: LEARNERS }, startLearner));
    for (let round = 0; round < ROUNDS; round++) {
      await delay(100 + Math.random() * 400);
      const [oldest] = learners.splice(0, 1);
      oldest?.kill("SIGKILL");
      learners.push(await startLearner());
    }
    isEnding = true;
    await writing;
    await vi.waitUntil(
      async () => (await store.query().selectFrom("LearningBatch").select("id").execute()).length === 0,
      { timeout: 120_000, interval: 100 },
    );
    for (const learner of learners) learner.kill("SIGKILL");
    const { policy } = (await readWorkload(store, key))?.learned ?? {};
    const learned = (policy?.byFamily.requests ?? []).reduce((all, value) => all + value, 0);
    report(
      `kill -9 of learners on ${engine}: ${ROUNDS} rounds, ${requests} inferences and ${counts.reduce((a, b) => a + b)} values ` +
        `written twice; ${learned} and ${policy?.totals.rewards} learned`,
    );
    expect(learned).toBe(requests);
    expect(policy?.byArm.armCounts).toEqual(counts);
    expect(policy?.byArm.armSums).toEqual(sums);
  });
});
