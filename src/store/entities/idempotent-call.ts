import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** A call under an idempotency key, from before it is answered until a day after. */
export const IdempotentCall = defineEntity({
  name: "IdempotentCall",
  tableName: "idempotent_call",
  uniques: [{ properties: ["projectId", "key"] }],
  // Few are being answered.
  indexes: [{ properties: ["owner"], where: "state = 'answering'" }],
  properties: {
    /** Carries the time of the first call; of an inference, it is its id. */
    id: p.uuid().primary(),
    projectId: p.uuid(),
    key: p.text(),
    /** SHA-256 of what was asked. */
    bodyHash: p.text(),
    /** The process that answers it. */
    owner: p.uuid(),
    /** When that process was last heard of. */
    beatAt: p.datetime(3),
    /** "answering", "kept" or "not kept". */
    state: p.text(),
    /** The items of the answer, each a protobuf after its length; compressed with zstd unless small. */
    answer: p.blob().nullable(),
    errorMessage: p.text().nullable(),
    /** The facts of a failure, a protobuf. */
    errorDetail: p.blob().nullable(),
  },
});

/** A row of `idempotent_call`. */
export type IdempotentCallRow = InferEntity<typeof IdempotentCall>;
