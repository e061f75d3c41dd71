import type { SharedMetrics } from "../observability/shared-metrics.ts";
import type { DrainReply, DrainRequest } from "../store/write/spool/drain-requests.ts";

/** A message from a worker to the process that started it. */
export type FromWorker =
  | { readonly kind: "attune:serving" }
  /** It was asked for the metrics of all. */
  | { readonly kind: "attune:expose"; readonly id: number }
  /** Its own; without an id where it ends. */
  | { readonly kind: "attune:metrics"; readonly id?: number; readonly metrics: SharedMetrics }
  /** A request to write its records. */
  | { readonly kind: "attune:drain"; readonly request: DrainRequest };

/** A message to a worker. */
export type ToWorker =
  | { readonly kind: "attune:leave" }
  | { readonly kind: "attune:collect"; readonly id: number }
  | { readonly kind: "attune:exposed"; readonly id: number; readonly text: string }
  | { readonly kind: "attune:drained"; readonly reply: DrainReply };

/** Returns whether a message is one of ours: Node's own go the same way. */
export function isOurs(message: unknown): message is FromWorker | ToWorker {
  if (typeof message !== "object" || message === null || !("kind" in message)) return false;
  return typeof message.kind === "string" && message.kind.startsWith("attune:");
}
