import { Counter, type Registry } from "prom-client";
import { type ErrorReason, ErrorReasonSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { enumName } from "../lib/protobuf/enum-name.ts";

/** Registers the metric that events of feedback are counted in, by batches: undefined stands for a stored one. */
export function createFeedbackCount(registry: Registry): (refusals: readonly (ErrorReason | undefined)[]) => void {
  const events = new Counter({
    registers: [registry],
    name: "attune_feedback_events_total",
    help: "Events of feedback by result: stored, or the reason for which one was refused",
    labelNames: ["result"],
  });
  return (refusals) => {
    const counts = new Map<ErrorReason | undefined, number>();
    for (const reason of refusals) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    for (const [reason, count] of counts) {
      events.inc({ result: reason === undefined ? "stored" : enumName(ErrorReasonSchema, reason) }, count);
    }
  };
}
