import { fromBinary } from "@bufbuild/protobuf";
import { type GenerateResponse, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { expandBody } from "../../lib/compress-body.ts";
import type { PendingInferences } from "../types/pending-inference.ts";
import type { Store } from "../types/store.ts";
import type { StoreLookup } from "./store-lookup.ts";

/** The sources of answers, and the bounds of a reading. */
interface AnswerSources {
  readonly store: Store;
  readonly recorder: Pick<PendingInferences, "pending">;
  readonly lookup: Pick<StoreLookup, "arrival">;
  /** Most bytes of the answers, not compressed. */
  readonly maxBytes: number;
  /** The time that the latest of them is waited for. */
  readonly waitMs: number;
}

type Answers = Map<string, GenerateResponse>;

/**
 * Reads the answers of inferences of a project in one statement, whether they can be continued or not. Only the latest
 * may be on its way, and is waited for; what is too large or is not there is left out.
 */
export async function readAnswers(ids: readonly string[], projectId: string, sources: AnswerSources): Promise<Answers> {
  const answers: Answers = new Map();
  await readInto(answers, { ids, projectId }, sources);
  const latest = ids.toSorted().at(-1);
  if (latest === undefined || answers.has(latest)) return answers;
  if ((await sources.lookup.arrival(latest, projectId, sources.waitMs)) === "here") {
    await readInto(answers, { ids: [latest], projectId }, sources);
  }
  return answers;
}

/** The queue is asked first: a record leaves it only once it is in the database. */
async function readInto(
  answers: Answers,
  { ids, projectId }: { readonly ids: readonly string[]; readonly projectId: string },
  { store, recorder, maxBytes }: AnswerSources,
): Promise<void> {
  const written: string[] = [];
  for (const id of ids) {
    const pending = recorder.pending(id);
    if (pending === undefined) written.push(id);
    else if (pending.row.projectId === projectId && pending.content !== undefined)
      answers.set(id, pending.content.output);
  }
  if (written.length === 0) return;
  const rows = await store
    .query()
    .selectFrom("Inference")
    .innerJoin("InferenceBody", "InferenceBody.id", "Inference.id")
    .select(["Inference.id", "InferenceBody.response"])
    .where("Inference.id", "in", written)
    // PostgreSQL looks only at the partitions whose ids a table is told itself.
    .where("InferenceBody.id", "in", written)
    .where("Inference.projectId", "=", projectId)
    .where("Inference.deletedAt", "is", null)
    .execute();
  let bytesLeft = maxBytes;
  for (const { id, response } of rows) {
    const bytes = await expandBody(response);
    bytesLeft -= bytes.length;
    if (bytesLeft < 0) return;
    answers.set(id, fromBinary(GenerateResponseSchema, bytes));
  }
}
