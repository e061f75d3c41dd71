import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { encodeRequest } from "../../../src/hub/request-bytes.ts";
import { Learner } from "../../../src/learning/learner/learner.ts";
import { newId } from "../../../src/lib/ids.ts";
import { deleteInferences } from "../../../src/store/deletions/delete-inferences.ts";
import { judgePair } from "../../../src/store/learning/judge-pair.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import { readDeciding } from "../../../src/store/learning/read-deciding.ts";
import { readPair } from "../../../src/store/learning/read-pair.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { shadowRecord } from "../../support/shadow-record.ts";
import { MODELS, served, write } from "./fill.ts";

const RESERVATION = { day: 0, budget: "", nanos: 0 };
const text = (said: string) => ({ kind: { case: "text", value: { text: said } } }) as const;
const saying = (said: string) => create(GenerateResponseSchema, { content: [text(said)] });

describe.each(ENGINES)("readDeciding() on %s", (engine) => {
  const databases = useDatabases(engine);

  /** A workload with one stored answer and a graded pair of it; a judge and people find the model `good` better. */
  async function begin() {
    const { store } = databases;
    const shadow = createShadowStore(store);
    const key = { projectId: newId(), model: "base" };
    const row = served({ ...key, endUserId: "eve" });
    const messages = [
      { role: Role.USER, content: [text("Hello")] },
      { role: Role.ASSISTANT, content: [text("Hello")] },
      { role: Role.USER, content: [text("6 x 7?")] },
    ];
    const bodies = {
      request: encodeRequest(createHubInput({ messages })),
      response: toBinary(GenerateResponseSchema, saying("41")),
    };
    await writeBatch(store, { inferences: [{ ...write(row), ...bodies }], feedback: [] });
    const record = (changes: object) => shadowRecord({ ...key, inferenceId: row.id, ...changes });
    await shadow.write(record({}), RESERVATION, saying("😀".repeat(601)));
    for (let at = 0; at < 60; at++) {
      const reward = at % 2;
      const check = { kind: "check", trialModel: null, trialGood: null, servedGood: reward === 1, reward } as const;
      await shadow.write(record(check), RESERVATION);
      await shadow.write(record({ servedGood: reward === 1 }), RESERVATION);
      const verdict = { kind: "verdict", servedModel: "good", trialModel: null, trialGood: null } as const;
      await shadow.write(record({ ...verdict, servedGood: true, reward: 1 }), RESERVATION);
    }
    await store
      .query()
      .updateTable("LearningBatch")
      .set({ dueAt: new Date(0) })
      .execute();
    const shape = { arms: MODELS, priors: {}, controlsOf: () => CONTROLS };
    const learner = new Learner({ store: createLearnerStore(store), ...shape, pollMs: 1000, log: { warn: () => {} } });
    while ((await learner.learn()) === "some");
    return { store, key, inferenceId: row.id };
  }

  it("reads the pair with both answers and all verdicts, until the texts of its end user are deleted", async () => {
    const { store, key, inferenceId } = await begin();
    const judge = { judge: false, secondJudge: null, person: null };
    const [pair, ...others] = await readDeciding(store, key);
    expect(others).toEqual([]);
    expect(pair).toMatchObject({
      inferenceId,
      model: "good",
      isBetter: true,
      family: "tag:a",
      question: "6 x 7?",
      baseAnswer: "41",
      answer: `${"😀".repeat(600)}…`,
      ofBase: judge,
      ofModel: { ...judge, judge: true },
    });
    const shown = await readPair(store, key);
    const isFirstGiven = shown?.answers[0] === "41";
    const verdict = { first: !isFirstGiven, second: isFirstGiven };
    await judgePair(store, { projectId: key.projectId, id: shown?.id ?? "", keyId: "pg_1", verdict });
    expect(await readDeciding(store, key)).toMatchObject([{ ofBase: { person: false }, ofModel: { person: true } }]);
    expect(await readDeciding(store, { ...key, projectId: newId() })).toEqual([]);
    await deleteInferences(store, { projectId: key.projectId, endUserId: "eve" });
    expect(await readDeciding(store, key)).toEqual([]);
    const pairs = store.query().selectFrom("ShadowPair").select("id").where("projectId", "=", key.projectId);
    expect(await pairs.execute()).toEqual([]);
  });
});
