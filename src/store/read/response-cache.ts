import { fromBinary } from "@bufbuild/protobuf";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { ResponseCacheStore } from "../../inference/ports.ts";
import { expandBody } from "../../lib/compress-body.ts";
import type { BodyPolicy } from "../bodies/body-policy.ts";
import { firstIdAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";

/**
 * Finds answers that were kept whole, by what identical requests have in common. Ids carry the time, so that of weeks
 * before only those are read that may be young enough.
 */
export function createResponseCache(store: Store, bodiesOf: (projectId: string) => BodyPolicy): ResponseCacheStore {
  return {
    async find({ key, projectId, sinceMs }) {
      // What a project does not want kept any more is not given again either.
      if (bodiesOf(projectId) !== "full") return undefined;
      const row = await store
        .query()
        .selectFrom("Inference")
        .innerJoin("InferenceBody", "InferenceBody.id", "Inference.id")
        .select("InferenceBody.response")
        .where("Inference.coalescingKey", "=", key)
        .where("Inference.id", ">=", firstIdAt(sinceMs))
        .where("InferenceBody.id", ">=", firstIdAt(sinceMs))
        .where("Inference.projectId", "=", projectId)
        .where("Inference.deletedAt", "is", null)
        .orderBy("Inference.id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : fromBinary(GenerateResponseSchema, await expandBody(row.response));
    },
  };
}
