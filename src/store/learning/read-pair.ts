import { fromBinary } from "@bufbuild/protobuf";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { type BlindPair, createBlindPair } from "../../learning/shadow/blind-pair.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import { expandBody } from "../../lib/compress-body.ts";
import type { Store } from "../types/store.ts";
import { readAnswer } from "./read-answer.ts";

/** Pairs that are looked at for one whose conversation is stored. */
const MOST_TRIED = 20;
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Reads the latest pair of a workload that nobody has judged, before another one; undefined where none is left. */
export async function readPair(
  store: Store,
  { projectId, model }: WorkloadKey,
  beforeId = LAST_ID,
): Promise<BlindPair | undefined> {
  const rows = await store
    .query()
    .selectFrom("ShadowPair")
    .select(["id", "inferenceId", "answer"])
    .where("projectId", "=", projectId)
    .where("model", "=", model)
    .where("id", "<", beforeId.toLowerCase())
    .orderBy("id", "desc")
    .limit(MOST_TRIED)
    .execute();
  for (const { id, inferenceId, answer } of rows) {
    const answered = await readAnswer(store, inferenceId, projectId);
    if (answered === undefined) continue;
    const tried = fromBinary(GenerateResponseSchema, await expandBody(answer));
    return createBlindPair({ id, model }, answered, tried);
  }
  return undefined;
}
