import { create } from "@bufbuild/protobuf";
import { type Saving, SavingKind, SavingSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { type SavingKind as Kind, SAVING_KINDS, type Savings } from "../../hub/saving-kinds.ts";

const KIND: Record<Kind, SavingKind> = {
  cacheMarks: SavingKind.CACHE_MARKS,
  coalescing: SavingKind.COALESCING,
  responseCache: SavingKind.RESPONSE_CACHE,
  choice: SavingKind.CHOICE,
  routing: SavingKind.ROUTING,
  failover: SavingKind.FAILOVER,
  hedging: SavingKind.HEDGING,
  retry: SavingKind.RETRY,
  candidates: SavingKind.CANDIDATES,
};

/** Turns what was saved into the messages that list it. */
export function savingsToMessages(saved: Savings = {}): Saving[] {
  return SAVING_KINDS.flatMap((kind) => {
    const nanos = saved[kind];
    return nanos === undefined ? [] : [create(SavingSchema, { kind: KIND[kind], nanos: BigInt(Math.round(nanos)) })];
  });
}
