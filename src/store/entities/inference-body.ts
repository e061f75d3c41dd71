import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** The request and response: protobuf, compressed with zstd. In a table of their own, so that lists never read them. */
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
