import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/**
 * The request and response: protobuf, compressed with zstd. In a table of their own, so that lists never read them, and
 * with their first words, which are deleted with them.
 */
export const InferenceBody = defineEntity({
  name: "InferenceBody",
  tableName: "inference_body",
  // The first words are searched in the index alone.
  indexes: [{ name: "inference_body_first_words_index", properties: ["projectId", "id", "prompt", "answer"] }],
  properties: {
    /** Id of the inference. */
    id: p.uuid().primary(),
    projectId: p.uuid(),
    /** The first words of the latest prompt, and those of the answer; empty where there are none. */
    prompt: p.text().default(""),
    answer: p.text().default(""),
    request: p.blob(),
    response: p.blob(),
  },
});

/** A row of `inference_body`. */
export type InferenceBodyRow = InferEntity<typeof InferenceBody>;
