import type { TelemetryPorts } from "../telemetry.ts";

const PERIOD_MS = 60_000;

/** Creates a log that tells of failures once a minute, with their number since. */
export function createFailureLog(log: TelemetryPorts["log"], facts: object): (error: unknown) => void {
  let failures = 0;
  let toldMs = Number.NEGATIVE_INFINITY;
  return (err) => {
    failures += 1;
    if (performance.now() - toldMs < PERIOD_MS) return;
    log.warn({ ...facts, failures, err }, "telemetry could not be exported, and is lost");
    toldMs = performance.now();
    failures = 0;
  };
}
