import { Counter, Gauge, type Registry } from "prom-client";

/** Counts alerts and their messages. */
export interface AlertCounts {
  /** Sets the number of open alerts by kind; kinds that are absent have none. */
  firing(byKind: ReadonlyMap<string, number>): void;
  delivered(kind: string, outcome: (typeof OUTCOMES)[number]): void;
}

const OUTCOMES = ["delivered", "retried", "failed"] as const;

/** Registers the metrics of alerts. */
export function addAlertMetrics(registry: Registry): AlertCounts {
  const registers = [registry];
  const firing = new Gauge({
    name: "attune_alerts_firing",
    help: "Alerts that are open, by kind, where this process is the one that evaluates",
    labelNames: ["kind"] as const,
    registers,
    aggregator: "max" as const,
  });
  const deliveries = new Counter({
    name: "attune_alert_deliveries_total",
    help: "Attempts at messages by the kind of their destination: delivered, retried later, or failed for good",
    labelNames: ["kind", "outcome"] as const,
    registers,
  });
  return {
    firing(byKind) {
      firing.reset();
      for (const [kind, open] of byKind) firing.set({ kind }, open);
    },
    delivered(kind, outcome) {
      // A series that begins at 1 has not risen for Prometheus: one tries again before it fails for good.
      for (const each of OUTCOMES) deliveries.inc({ kind, outcome: each }, Number(each === outcome));
    },
  };
}
