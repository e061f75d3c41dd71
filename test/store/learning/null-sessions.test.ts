import { describe, expect, it } from "vitest";
import { Learner } from "../../../src/learning/learner/learner.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { useDatabases } from "../../support/database.ts";
import { MODELS, said, served, write } from "./fill.ts";

const SESSIONS = 30;
const CALLS = 40;

/** Tosses that are the same in each run. */
function* tosses(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe("the null test with sessions", () => {
  const databases = useDatabases("sqlite");

  it.each(["for the session", "copied onto each call"] as const)(
    "finds no drift and no better model among equal ones, with one coin toss a session, %s",
    async (way) => {
      const { store } = databases;
      const key = { projectId: newId(), model: "base" };
      const chance = tosses(7);
      for (let session = 0; session < SESSIONS; session++) {
        const servedModel = MODELS[Math.floor(chance.next().value * MODELS.length)] ?? "base";
        const facts = { ...key, servedModel, sessionId: `run-${session}`, sessionSource: "attune-session" };
        const rows = Array.from({ length: CALLS }, () => served(facts));
        const isPassed = chance.next().value < 0.5;
        const feedback =
          way === "for the session"
            ? rows.slice(-1).map((row) => said(row, isPassed, { sessionId: facts.sessionId }))
            : rows.map((row) => said(row, isPassed));
        await writeBatch(store, { inferences: rows.map(write), feedback });
      }
      const learner = new Learner({
        store: createLearnerStore(store),
        arms: MODELS,
        priors: {},
        pollMs: 1000,
        log: { warn: () => {} },
        controlsOf: () => CONTROLS,
      });
      while ((await learner.learn()) === "some");
      const own = await store
        .query()
        .selectFrom("LearnedState")
        .selectAll()
        .where("projectId", "=", key.projectId)
        .execute();
      expect(own.map(({ rewards }) => rewards)).toEqual([SESSIONS]);
      const events = await store
        .query()
        .selectFrom("WorkloadEvent")
        .selectAll()
        .where("projectId", "=", key.projectId)
        .execute();
      expect(events.map(({ kind }) => kind).filter((kind) => kind === "drift" || kind === "switched")).toEqual([]);
    },
  );
});
