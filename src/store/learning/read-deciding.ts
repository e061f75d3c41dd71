import { fromBinary } from "@bufbuild/protobuf";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema, type InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { restoreSnapshot, SnapshotError } from "../../learning/bandit/snapshot.ts";
import { chooseDeciding, type DecidingPair, type GradedPair } from "../../learning/improve/choose-deciding.ts";
import { toReadText } from "../../learning/shadow/judge-prompt.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import { expandBody } from "../../lib/compress-body.ts";
import type { Store } from "../types/store.ts";
import { readAnswer } from "./read-answer.ts";
import { MOST_PAIRS } from "./shadow-store.ts";
import { readWorkload } from "./workload-reads.ts";

/** Characters of a text that are shown. */
const MOST_CHARACTERS = 600;

/** A pair of answers that decided, with the beginnings of its texts. */
export interface DecidingAnswers extends DecidingPair {
  /** The latest words of the caller. */
  readonly question: string;
  readonly baseAnswer: string;
  readonly answer: string;
}

/**
 * Reads the pairs of answers by which models of a workload are known to be better or worse than base, as far as the
 * texts are stored.
 */
export async function readDeciding(store: Store, key: WorkloadKey): Promise<readonly DecidingAnswers[]> {
  const learned = (await readWorkload(store, key))?.learned;
  if (learned === undefined) return [];
  try {
    const chosen = chooseDeciding(restoreSnapshot(learned.policy), await readGraded(store, key));
    const shown: DecidingAnswers[] = [];
    for (const pair of chosen) {
      const texts = await readTexts(store, key, pair);
      if (texts !== undefined) shown.push({ ...pair, ...texts });
    }
    return shown;
  } catch (thrown) {
    // What another version has learned says nothing here.
    if (thrown instanceof SnapshotError) return [];
    throw thrown;
  }
}

async function readGraded(store: Store, { projectId, model }: WorkloadKey): Promise<GradedPair[]> {
  const rows = store
    .query()
    .selectFrom("ShadowPair")
    .innerJoin("ShadowTrial", "ShadowTrial.id", "ShadowPair.id")
    .innerJoin("InferenceBody", "InferenceBody.id", "ShadowPair.inferenceId")
    .select(["ShadowPair.id", "ShadowPair.inferenceId", "ShadowPair.servedVerdict", "ShadowPair.trialVerdict"])
    .select(["ShadowTrial.family", "ShadowTrial.trialModel", "ShadowTrial.servedGood", "ShadowTrial.trialGood"])
    .select(["ShadowTrial.servedGoodSecond", "ShadowTrial.trialGoodSecond"])
    .where("ShadowPair.projectId", "=", projectId)
    .where("ShadowPair.model", "=", model)
    .where("ShadowTrial.servedModel", "=", model)
    .orderBy("ShadowPair.id", "desc")
    .limit(2 * MOST_PAIRS);
  return (await rows.execute()).map((row) => ({
    id: row.id,
    inferenceId: row.inferenceId,
    family: row.family,
    model: row.trialModel ?? "",
    ofBase: { judge: row.servedGood, secondJudge: row.servedGoodSecond, person: row.servedVerdict ?? null },
    ofModel: { judge: row.trialGood, secondJudge: row.trialGoodSecond, person: row.trialVerdict ?? null },
  }));
}

async function readTexts(store: Store, { projectId }: WorkloadKey, { id, inferenceId }: GradedPair) {
  const answered = await readAnswer(store, inferenceId, projectId);
  const stored = store.query().selectFrom("ShadowPair").select("answer").where("id", "=", id);
  const pair = await stored.executeTakeFirst();
  if (answered === undefined || pair === undefined) return undefined;
  const tried = fromBinary(GenerateResponseSchema, await expandBody(pair.answer));
  return {
    question: shorten(getQuestion(answered.input)),
    baseAnswer: shorten(toReadText(answered.response.content)),
    answer: shorten(toReadText(tried.content)),
  };
}

function getQuestion({ messages }: InferenceInput): string {
  return toReadText(messages.findLast(({ role }) => role === Role.USER)?.content ?? []);
}

function shorten(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MOST_CHARACTERS + 2));
  return characters.length <= MOST_CHARACTERS ? text : `${characters.slice(0, MOST_CHARACTERS).join("")}…`;
}
