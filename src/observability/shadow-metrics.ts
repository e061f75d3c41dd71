import { Counter, type Registry } from "prom-client";

/** A shadow trial or a check, as it is counted. */
interface CountedTrial {
  readonly kind: string;
  readonly outcome: string;
  readonly costNanos: number | null;
}

/** Counts shadow trials and checks of the judge. */
export interface ShadowCounts {
  recorded(trial: CountedTrial): void;
  skipped(why: string): void;
}

/** Registers the metrics of shadow trials. */
export function addShadowMetrics(registry: Registry): ShadowCounts {
  const registers = [registry];
  const trials = new Counter({
    name: "attune_shadow_trials_total",
    help:
      "Answers that this process had graded: with another model's (kind=trial), as they got feedback (check), or as " +
      "nobody complained of them (silent); by outcome: graded, ungraded, failed",
    labelNames: ["kind", "outcome"] as const,
    registers,
  });
  const cost = new Counter({
    name: "attune_shadow_cost_nano_usd_total",
    help: "Their cost in billionths of a USD, where models have a price; no caller pays for it",
    labelNames: ["kind"] as const,
    registers,
  });
  const skipped = new Counter({
    name: "attune_shadow_skipped_total",
    help:
      "Answers that were drawn and not graded: no room in the queue (full), no money left in the day (spend), no " +
      "healthy place of a model (unavailable), a model that cannot take the request as it is (unfit), a text that is " +
      "not stored (text), or no database (store)",
    labelNames: ["reason"] as const,
    registers,
  });
  return {
    recorded({ kind, outcome, costNanos }) {
      trials.inc({ kind, outcome });
      if (costNanos !== null) cost.inc({ kind }, costNanos);
    },
    skipped: (reason) => skipped.inc({ reason }),
  };
}
