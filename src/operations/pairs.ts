import { PairVerdict } from "../../gen/attune/admin/v1/admin_pb.ts";
import { InferenceError } from "../hub/error.ts";
import { createPlayground } from "../store/dashboard/playground.ts";
import { judgePair } from "../store/learning/judge-pair.ts";
import { readPair } from "../store/learning/read-pair.ts";
import { notFound } from "./checks.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";

/** The answers that a verdict finds satisfactory. */
const VERDICTS: Readonly<Record<PairVerdict, { readonly first: boolean; readonly second: boolean } | undefined>> = {
  [PairVerdict.UNSPECIFIED]: undefined,
  [PairVerdict.FIRST]: { first: true, second: false },
  [PairVerdict.SECOND]: { first: false, second: true },
  [PairVerdict.BOTH]: { first: true, second: true },
  [PairVerdict.NEITHER]: { first: false, second: false },
};

/** The operations on pairs of answers that people judge blind. */
export const pairHandlers: Handlers<"getPair" | "judgePair"> = {
  async getPair(work, { project, model: name, beforeId, skippedIds }) {
    const { id: projectId } = await findOwnProject(work, project);
    const model = work.modelOf(name);
    if (model === undefined) throw notFound("model", "model");
    const pair = await readPair(work.store, { projectId, model }, { ...(beforeId !== "" && { beforeId }), skippedIds });
    if (pair === undefined) throw notFound("model", "pair of this workload that nobody has judged");
    const [firstAnswer, secondAnswer] = pair.answers;
    const { id, conversation } = pair;
    return {
      pair: { id, model: getId(work, model), conversation: [...conversation], firstAnswer, secondAnswer },
    };
  },

  async judgePair(work, { project, pairId, verdict: given }) {
    const { id: projectId } = await findOwnProject(work, project);
    const verdict = VERDICTS[given];
    if (verdict === undefined) throw InferenceError.invalid("verdict", "must be first, second, both or neither");
    const judged = await judgePair(work.store, { projectId, id: pairId, keyId: await keyOf(work, projectId), verdict });
    if (judged === undefined) throw notFound("pair_id", "pair that nobody has judged");
    const { inferenceId, models, servedModel } = judged;
    const [firstModel, secondModel] = models.map((model) => getId(work, model));
    return {
      inferenceId,
      firstModel: firstModel ?? "",
      secondModel: secondModel ?? "",
      servedModel: getId(work, servedModel),
    };
  },
};

/** Returns the key that a verdict is recorded with: of a member that of their playground. */
async function keyOf({ actor, store }: Work, projectId: string): Promise<string> {
  if (actor.kind !== "person") return actor.id;
  return (await createPlayground(store, Date.now).findOrCreateKey({ projectId, userId: actor.id, email: actor.label }))
    .keyId;
}

function getId({ prefix }: { readonly prefix: string }, model: string): string {
  return `${prefix}/${model}`;
}
