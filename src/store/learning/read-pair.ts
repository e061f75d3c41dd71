import { fromBinary } from "@bufbuild/protobuf";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { restoreSnapshot, SnapshotError } from "../../learning/bandit/snapshot.ts";
import { getVerdictWorths } from "../../learning/improve/verdict-worths.ts";
import { type BlindPair, createBlindPair } from "../../learning/shadow/blind-pair.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import { expandBody } from "../../lib/compress-body.ts";
import type { Store } from "../types/store.ts";
import { readAnswer } from "./read-answer.ts";
import { MOST_PAIRS } from "./shadow-store.ts";
import { readWorkload } from "./workload-reads.ts";

/** Pairs that are looked at for one whose conversation is stored. */
const MOST_TRIED = 20;

/** The pairs that somebody does not want to see. */
interface PairOptions {
  /** Id of a pair that is left out with all later ones. */
  readonly beforeId?: string | undefined;
  readonly skippedIds?: readonly string[];
}

/**
 * Reads the pair of a workload that a verdict is worth the most of, and the latest of them, that nobody has judged;
 * undefined where none is left.
 */
export async function readPair(
  store: Store,
  { projectId, model }: WorkloadKey,
  { beforeId, skippedIds = [] }: PairOptions = {},
): Promise<BlindPair | undefined> {
  let open = store
    .query()
    .selectFrom("ShadowPair")
    .innerJoin("ShadowTrial", "ShadowTrial.id", "ShadowPair.id")
    .select(["ShadowPair.id", "ShadowPair.inferenceId", "ShadowTrial.servedModel", "ShadowTrial.trialModel"])
    .where("ShadowPair.projectId", "=", projectId)
    .where("ShadowPair.model", "=", model)
    .where("ShadowPair.trialVerdict", "is", null)
    .orderBy("ShadowPair.id", "desc")
    .limit(MOST_PAIRS);
  if (beforeId !== undefined) open = open.where("ShadowPair.id", "<", beforeId.toLowerCase());
  const skipped = new Set(skippedIds.map((id) => id.toLowerCase()));
  const pairs = (await open.execute()).filter(({ id }) => !skipped.has(id));
  const worthOf = await readWorths(store, { projectId, model });
  const ranked = pairs.map((pair) => ({ ...pair, worth: worthOf(pair.servedModel) + worthOf(pair.trialModel ?? "") }));
  // The sort is stable: of equal ones the latest stays first.
  ranked.sort((one, other) => other.worth - one.worth);
  for (const { id, inferenceId } of ranked.slice(0, MOST_TRIED)) {
    const answered = await readAnswer(store, inferenceId, projectId);
    if (answered === undefined) continue;
    const stored = store.query().selectFrom("ShadowPair").select("answer").where("id", "=", id);
    const pair = await stored.executeTakeFirst();
    // Somebody else has judged it meanwhile.
    if (pair === undefined) continue;
    return createBlindPair({ id, model }, answered, fromBinary(GenerateResponseSchema, await expandBody(pair.answer)));
  }
  return undefined;
}

/** Reads what a verdict on an answer of each model is worth by what was learned. */
async function readWorths(store: Store, key: WorkloadKey): Promise<(model: string) => number> {
  const learned = (await readWorkload(store, key))?.learned;
  if (learned === undefined) return () => 0;
  try {
    const state = restoreSnapshot(learned.policy);
    const worths = getVerdictWorths(state);
    return (model) => worths[state.arms.indexOf(model)] ?? 0;
  } catch (thrown) {
    // What another version has learned says nothing here, and pairs can be judged nevertheless.
    if (thrown instanceof SnapshotError) return () => 0;
    throw thrown;
  }
}
