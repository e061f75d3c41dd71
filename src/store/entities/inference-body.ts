import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** What was asked and answered: protobuf, compressed with zstd. Apart, so that lists never read it. */
export const InferenceBody = defineEntity({
  name: "InferenceBody",
  tableName: "inference_body",
  properties: {
    /** Id of the inference. */
    id: p.uuid().primary(),
    request: p.blob(),
    response: p.blob(),
  },
});

/** A row of `inference_body`. */
export type InferenceBodyRow = InferEntity<typeof InferenceBody>;
