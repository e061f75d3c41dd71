import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { CallOutcome, CallQuota } from "../ports.ts";

/** Counts a call until its work has ended, and whether anything came of it; nothing where nothing limits it. */
export function counted<T>(quota: CallQuota | undefined, work: () => Promise<T>): Promise<T> {
  return quota === undefined ? work() : count(quota, work);
}

async function count<T>(quota: CallQuota, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    quota.end("answered");
    return result;
  } catch (thrown) {
    quota.end(toOutcome(thrown));
    throw thrown;
  }
}

/** Returns how a call ended that threw. */
export function toOutcome(thrown: unknown): CallOutcome {
  const { reason } = InferenceError.from(thrown);
  return reason === ErrorReason.CANCELED || reason === ErrorReason.DEADLINE_EXCEEDED ? "canceled" : "failed";
}
