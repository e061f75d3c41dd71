import { expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import type { AttemptRecord } from "../../src/inference/ports.ts";
import { createAttemptLog } from "../../src/observability/log-attempt.ts";

it("warns of a place and a reason once a minute, and tells the others beside that", () => {
  const lines: string[] = [];
  let nowMs = 0;
  const take = (level: string) => (facts: object, message: string) =>
    void lines.push(`${level} ${message} ${"failures" in facts ? facts.failures : ""}`.trim());
  const log = createAttemptLog({ warn: take("warn"), info: take("info") }, () => nowMs);
  const tell = (reason: ErrorReason | undefined, changes: Partial<AttemptRecord> = {}) => {
    const error = reason === undefined ? undefined : new InferenceError(reason, "no");
    const facts = { upstream: "u", upstreamModel: "m", role: "primary", outcome: "failed", latencyMs: 1 };
    log({ ...facts, error, ...changes } as AttemptRecord, { id: "i", requestId: "r" });
  };
  tell(undefined);
  tell(ErrorReason.UPSTREAM_ERROR);
  tell(ErrorReason.UPSTREAM_ERROR);
  tell(ErrorReason.UPSTREAM_ERROR);
  tell(ErrorReason.UPSTREAM_TIMEOUT);
  tell(ErrorReason.UPSTREAM_ERROR, { upstreamModel: "other" });
  tell(ErrorReason.INVALID_REQUEST, { outcome: "refused" });
  nowMs = 60_000;
  tell(ErrorReason.UPSTREAM_ERROR);
  expect(lines).toEqual([
    "warn an attempt failed 1",
    "info an attempt failed",
    "info an attempt failed",
    "warn an attempt failed 1",
    "warn an attempt failed 1",
    "info an attempt was refused",
    "warn an attempt failed 3",
  ]);
});
