import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CallFactsSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { RunAnswer } from "../../../src/learning/dataset-runs/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createDataset } from "../../../src/operations/datasets.ts";
import { createDatasetRuns } from "../../../src/store/dashboard/dataset-runs.ts";
import { createDatasets } from "../../../src/store/dashboard/datasets.ts";
import { createStoreReads } from "../../../src/store/dashboard/reads/reads.ts";
import { deleteEndUser } from "../../../src/store/end-users/delete-end-user.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createDatasetRunStore } from "../../../src/store/learning/dataset-run-store.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRecord } from "../../support/inference-record.ts";

const projectId = DEFAULT_PROJECT.id;

describe.each(ENGINES)("createDatasetRunStore() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function begin() {
    const { store } = databases;
    const facts = create(CallFactsSchema, { endUserId: "ada" });
    const record = inferenceRecord({ projectId, facts });
    const recorder = createRecorder(store, { flushIntervalMs: 60_000 });
    recorder.offer(record);
    await recorder.flush();
    await recorder.close();
    const { id } = await createDataset(createDatasets(store, createStoreReads(store)), projectId, newId());
    const run = { models: ["a", "b"], requests: 1, estimatedNanos: null } as const;
    await store.query().updateTable("DatasetRun").set({ state: "interrupted" }).execute();
    const runId = (await createDatasetRuns(store).create({ projectId, id }, run)) as string;
    const answer: RunAnswer = {
      id: newId(),
      inferenceId: record.id,
      side: 0,
      outcome: "answered",
      problem: null,
      inputTokens: 1,
      outputTokens: 1,
      costNanos: 1,
      gradeNanos: null,
      latencyMs: 1,
      failedChecks: [],
      isGood: null,
      text: "what ada asked for",
    };
    return { runId, answer, inferenceId: record.id };
  }

  const textsOn = (inferenceId: string) =>
    databases.store
      .query()
      .selectFrom("DatasetAnswerText")
      .select("text")
      .where("inferenceId", "=", inferenceId)
      .execute();

  it("writes no text of a request whose own texts were deleted while it was asked again", async () => {
    const { runId, answer, inferenceId } = await begin();
    const runs = createDatasetRunStore(databases.store);
    await runs.write(runId, [answer]);
    expect(await textsOn(inferenceId)).toEqual([{ text: "what ada asked for" }]);
    await deleteEndUser(databases.store, { projectId, endUserId: "ada" });
    expect(await textsOn(inferenceId)).toEqual([]);
    await runs.write(runId, [{ ...answer, id: newId(), side: 1 }]);
    expect(await textsOn(inferenceId)).toEqual([]);
    expect(await createDatasetRuns(databases.store).answers(runId)).toMatchObject([{ side: 1 }]);
  });

  it("writes what was answered once, though the database is away, or away before it has told so", async () => {
    const { runId, answer, inferenceId } = await begin();
    const lost = Object.assign(new Error("terminating connection"), { code: "57P01", severity: "FATAL" });
    const away: Store["transaction"][] = [
      () => Promise.reject(lost),
      async (work) => {
        await databases.store.transaction(work);
        throw lost;
      },
    ];
    const transaction: Store["transaction"] = (work) =>
      (away.shift() ?? ((rest) => databases.store.transaction(rest)))(work);
    const flaky = new Proxy(databases.store, {
      get: (target, name) => {
        if (name === "transaction") return transaction;
        const member = Reflect.get(target, name) as unknown;
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    await createDatasetRunStore(flaky).write(runId, [answer]);
    expect(await textsOn(inferenceId)).toHaveLength(1);
    expect(await createDatasetRuns(databases.store).answers(runId)).toHaveLength(1);
  });
});
