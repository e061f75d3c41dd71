import { fakeRequest, fakeResponse } from "../../../scripts/seed/fake-rows.ts";
import { Random } from "../../../scripts/seed/random.ts";
import { Learner } from "../../../src/learning/learner/learner.ts";
import { firstWords } from "../../../src/store/bodies/first-words.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import { decodeMessages } from "../../../src/store/types/inference-body.ts";
import type { InferenceWrite } from "../../../src/store/types/record-batch.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../controls.ts";
import { attemptRow, feedbackRow, inferenceRow } from "../rows.ts";

const BASE = "gpt-6-astra";
const OTHER = "gpt-6-mini";

/** Calls of the fixture, of which every second has feedback. */
const CALLS = 4;

/** Writes calls of a key with all that belongs to them, and feedback. Returns their ids. */
export async function fillCalls(store: Store, keyId: string): Promise<readonly string[]> {
  const random = new Random(2);
  const rows = Array.from({ length: CALLS }, (_, index) =>
    inferenceRow({
      keyId,
      model: BASE,
      servedModel: index % 3 === 0 ? OTHER : BASE,
      family: "tag:a",
      stored: true,
      sessionId: `session-${index % 3}`,
      sessionSource: "x-session-id",
      endUserId: `user-${index % 2}`,
      tags: { team: "search" },
      requestId: `request-${index}`,
    }),
  );
  await writeBatch(store, { inferences: rows.map((row) => writeOf(row, random)), feedback: rows.flatMap(feedbackOn) });
  return rows.map(({ id }) => id);
}

/** Learns from all that was written, and leaves what is written afterwards for later. */
export async function learnAll(store: Store): Promise<void> {
  const learner = new Learner({
    store: createLearnerStore(store),
    arms: [BASE, OTHER],
    priors: {},
    controlsOf: () => CONTROLS,
    pollMs: 1000,
    log: { warn: () => {} },
  });
  while ((await learner.learn()) === "some");
  await learner.close();
}

function writeOf(row: InferenceRow, random: Random): InferenceWrite {
  const [request, response] = [fakeRequest(random, 100), fakeResponse(random, 50)];
  const { prompt, answer } = firstWords(decodeMessages(request, response));
  return { row, attempts: [attemptRow({ id: row.id })], request, response, words: [prompt, answer] };
}

function feedbackOn({ id, keyId, model, servedModel }: InferenceRow, index: number) {
  const on = { inferenceId: id, keyId, model, servedModel };
  if (index % 2 === 1) return [];
  const isGood = { name: "good", kind: "boolean", booleanValue: index % 4 === 0, floatValue: null };
  return [
    feedbackRow({ ...on, ...isGood, tags: { channel: "web" } }),
    feedbackRow({ ...on, name: "score", floatValue: index / 10 }),
  ];
}
