import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/**
 * An inference that is made in the background, from before its id is out until it is recorded. Other processes tell
 * from it how far it is, and that nobody makes it any more.
 */
export const BackgroundInference = defineEntity({
  name: "BackgroundInference",
  tableName: "background_inference",
  properties: {
    id: p.uuid().primary(),
    projectId: p.uuid(),
    /** Public id of the key. */
    keyId: p.text(),
    model: p.text(),
    streamed: p.boolean(),
    startedAt: p.datetime(3),
    /** When the process that makes it was last heard of. */
    beatAt: p.datetime(3),
    /** The inference that it continues. */
    previousId: p.uuid().nullable(),
    /** True if its caller wants it broken off. */
    cancelRequested: p.boolean().default(false),
    /** The request: protobuf, compressed with zstd unless it is small. */
    request: p.blob(),
  },
});

/** A row of `background_inference`. */
export type BackgroundInferenceRow = InferEntity<typeof BackgroundInference>;
