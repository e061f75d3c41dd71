import type { FastifyBaseLogger } from "fastify";
import { ErrorReason, type InferenceError } from "../hub/error.ts";

/**
 * Logs that a call failed: as an error only where this service is at fault. A caller can make an upstream fail, or be
 * refused for want of room, as often as it likes, and a client that leaves is no failure.
 */
export function logFailure(
  log: Pick<FastifyBaseLogger, "error" | "info">,
  error: InferenceError,
  message: string,
): void {
  if (error.reason === ErrorReason.CANCELED) return;
  const facts = { inferenceId: error.facts.inferenceId, err: error.cause ?? error, reason: error.message };
  if (error.reason === ErrorReason.INTERNAL) log.error(facts, message);
  else log.info(facts, message);
}
