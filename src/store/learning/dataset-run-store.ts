import { setTimeout as delay } from "node:timers/promises";
import type { DatasetRunStore } from "../../learning/dataset-runs/ports.ts";
import { isTransient } from "../../lib/database-state.ts";
import { databaseTime } from "../database/clock.ts";
import type { Store } from "../types/store.ts";
import { storableText } from "../write/storable-text.ts";
import { readAnswer } from "./read-answer.ts";
import { readRated } from "./read-rated.ts";

/** The time for which a database that is away is waited for: a run takes hours, and what it has asked is paid. */
const AWAY_MS = 900_000;
const PAUSE_MS = 1000;

/** Creates the store of runs of datasets, for whoever runs them. */
export function createDatasetRunStore(store: Store): DatasetRunStore {
  return {
    write: (runId, answers) =>
      whenBack(() =>
        store.transaction(async (tables) => {
          const texts = await lockTexts(store, tables, answers);
          for (const { text, problem, failedChecks, ...answer } of answers) {
            const storable = problem === null ? null : storableText(problem);
            const row = { ...answer, run: runId, problem: storable, failedChecks: failedChecks?.join(" ") ?? null };
            // A transaction that the database did not tell the end of may have been committed.
            await tables
              .insertInto("DatasetAnswer")
              .values(row)
              .onConflict((conflict) => conflict.doNothing())
              .execute();
            const { id, inferenceId } = answer;
            if (text === "" || !texts.has(inferenceId)) continue;
            const body = { answer: id, inferenceId, text: storableText(text) };
            await tables
              .insertInto("DatasetAnswerText")
              .values(body)
              .onConflict((conflict) => conflict.doNothing())
              .execute();
          }
        }),
      ),
    async beat(runId) {
      const running = store
        .query()
        .updateTable("DatasetRun")
        .set({ beatAt: databaseTime(store) });
      const own = running.where("id", "=", runId).where("state", "=", "running");
      const row = await own.returning("cancelRequested").executeTakeFirst();
      return row !== undefined && !row.cancelRequested;
    },
    end: (runId, state) =>
      whenBack(async () => {
        const running = store.query().updateTable("DatasetRun").where("id", "=", runId).where("state", "=", "running");
        await running.set({ state, endedAt: new Date() }).execute();
      }),
    readAnswer: (inferenceId, projectId) => whenBack(() => readAnswer(store, inferenceId, projectId)),
    readRated: (family, mostOfSign) => whenBack(() => readRated(store, family, mostOfSign)),
  };
}

/** Returns which requests still have their texts, and keeps whoever deletes these from doing so until the end. */
async function lockTexts(
  { engine }: Store,
  tables: ReturnType<Store["query"]>,
  answers: readonly { readonly inferenceId: string }[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(answers.map(({ inferenceId }) => inferenceId))];
  const bodies = tables.selectFrom("InferenceBody").select("id").where("id", "in", ids);
  return new Set((await (engine === "postgres" ? bodies.forShare() : bodies).execute()).map(({ id }) => id));
}

/** Does work on the database, again where it is away or others are in the way. */
async function whenBack<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + AWAY_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() > deadline) throw error;
    }
    await delay(PAUSE_MS);
  }
}
