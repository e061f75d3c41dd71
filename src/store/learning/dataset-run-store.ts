import type { DatasetRunStore } from "../../learning/dataset-runs/ports.ts";
import { databaseTime } from "../database/clock.ts";
import type { Store } from "../types/store.ts";
import { storableText } from "../write/storable-text.ts";
import { readAnswer } from "./read-answer.ts";
import { readRated } from "./read-rated.ts";

/** Creates the store of runs of datasets, for whoever runs them. */
export function createDatasetRunStore(store: Store): DatasetRunStore {
  return {
    write: (runId, answers) =>
      store.transaction(async (tables) => {
        for (const { text, problem, failedChecks, ...answer } of answers) {
          const said = problem === null ? null : storableText(problem);
          const row = { ...answer, run: runId, problem: said, failedChecks: failedChecks?.join(" ") ?? null };
          await tables.insertInto("DatasetAnswer").values(row).execute();
          if (text === "") continue;
          const { id, inferenceId } = answer;
          const body = { answer: id, inferenceId, text: storableText(text) };
          await tables.insertInto("DatasetAnswerText").values(body).execute();
        }
      }),
    async beat(runId) {
      const running = store
        .query()
        .updateTable("DatasetRun")
        .set({ beatAt: databaseTime(store) })
        .where("id", "=", runId);
      const row = await running.where("state", "=", "running").returning("cancelRequested").executeTakeFirst();
      return row !== undefined && !row.cancelRequested;
    },
    async end(runId, state) {
      const running = store.query().updateTable("DatasetRun").where("id", "=", runId).where("state", "=", "running");
      await running.set({ state, endedAt: new Date() }).execute();
    },
    readAnswer: (inferenceId, projectId) => readAnswer(store, inferenceId, projectId),
    readRated: (family, mostOfSign) => readRated(store, family, mostOfSign),
  };
}
