/**
 * `npm run bench:learning`: how many events a second the learner learns from, on both engines, with their reading and
 * what is written of them, and what a state takes up. Half of the events are inferences that were served, half is
 * feedback of a number on them.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Learner } from "../../src/learning/learner/learner.ts";
import { newId } from "../../src/lib/ids.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createLearnerStore } from "../../src/store/learning/open-learning.ts";
import type { Store } from "../../src/store/types/store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../support/controls.ts";
import { startPostgres } from "../support/postgres.ts";
import { readOptions } from "../support/read-options.ts";
import { feedbackRow, inferenceRow } from "../support/rows.ts";

const USAGE = "usage: npm run bench:learning -- [--events 40000] [--families 100] [--workloads 5] [--models 11]";
const options = readOptions(USAGE, {
  events: { type: "string", default: "40000" },
  families: { type: "string", default: "100" },
  workloads: { type: "string", default: "5" },
  models: { type: "string", default: "11" },
});
const [events, families] = [Number(options.events), Number(options.families)];
const [workloads, models] = [Number(options.workloads), Number(options.models)];
const MODELS = Array.from({ length: models }, (_, index) => `model-${index}`);
const BATCH = 250;

/** Writes what is to be learned; returns how long that took, in milliseconds. */
async function fill(store: Store): Promise<number> {
  const projectId = newId();
  let tookMs = 0;
  for (let from = 0; from < events / 2; from += BATCH) {
    const inferences = Array.from({ length: BATCH }, (_, index) => {
      const number = from + index;
      const changes = { projectId, model: MODELS[number % workloads] ?? "", family: `tag:${number % families}` };
      return inferenceRow({
        ...changes,
        servedModel: MODELS[(number * 7) % models] ?? "",
        latencyMs: 500 + (number % 997),
      });
    });
    const feedback = inferences.map(({ id, model }, index) =>
      feedbackRow({ projectId, inferenceId: id, model, floatValue: ((from + index) * 31) % 101 }),
    );
    const writes = inferences.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    const began = performance.now();
    await writeBatch(store, { inferences: writes, feedback });
    tookMs += performance.now() - began;
  }
  return tookMs;
}

async function measure(url: string) {
  const store = await openStore(url);
  const wroteMs = await fill(store);
  const learner = new Learner({
    store: createLearnerStore(store),
    arms: MODELS,
    priors: {},
    pollMs: 1000,
    log: { warn: console.warn },
    controlsOf: () => CONTROLS,
  });
  const [began, before] = [performance.now(), process.cpuUsage()];
  let longestMs = 0;
  for (;;) {
    const stepBegan = performance.now();
    if ((await learner.learn()) !== "some") break;
    longestMs = Math.max(longestMs, performance.now() - stepBegan);
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const [state] = await store.query().selectFrom("LearnedState").select("snapshot").execute();
  await store.close();
  const cpuSeconds = (user + system) / 1e6;
  return {
    "events/s": Math.round(events / seconds),
    "events/s of CPU": Math.round(events / cpuSeconds),
    "longest step, ms": Math.round(longestMs),
    "snapshot, KiB": Math.round((state?.snapshot?.length ?? 0) / 1024),
    "written with outbox, rows/s": Math.round(events / (wroteMs / 1000)),
  };
}

const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
const postgres = await startPostgres();
try {
  // The first round warms up.
  const rounds = [0, 1].map(() => ["sqlite", "postgres"] as const);
  const results: Record<string, object> = {};
  for (const [round, engines] of rounds.entries()) {
    for (const engine of engines) {
      const url = engine === "sqlite" ? `sqlite:${join(folder, `${round}.db`)}` : postgres.createDatabaseUrl();
      results[engine] = await measure(url);
    }
  }
  console.log(`${events} events, ${workloads} workloads, ${families} families, ${models} models`);
  console.table(results);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
