import { Gauge, type Registry } from "prom-client";

/** An upstream that may have a queue. */
interface Queued {
  readonly name: string;
  /** Absent: it has none. */
  readonly waiting?: () => number;
}

/** Adds the gauge of the queues of upstreams. */
export function addQueueGauge(registry: Registry, upstreams: () => Iterable<Queued>): void {
  new Gauge({
    name: "attune_upstream_waiting",
    help: "Calls that wait in the queue of an upstream, where it has one",
    labelNames: ["upstream"] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, waiting } of upstreams()) if (waiting !== undefined) this.set({ upstream: name }, waiting());
    },
  });
}
