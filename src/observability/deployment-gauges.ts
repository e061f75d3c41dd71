import { type Aggregator, Gauge, type Registry } from "prom-client";

/** A place that serves models, and what this process knows of it. */
export interface PlaceFigures {
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly health: {
    readonly isOut: boolean;
    readonly inFlight: number;
    /** Undefined if nothing is known. */
    readonly peakMs: number | undefined;
    /** Undefined if it tells of no limit. */
    readonly headroom: number | undefined;
  };
}

type Figure = readonly [
  name: string,
  /** The aggregation over several processes on one port. */
  together: Aggregator,
  help: string,
  of: (health: PlaceFigures["health"]) => number | undefined,
];

const FIGURES: readonly Figure[] = [
  ["out", "max", "1 while a deployment is asked last because it failed recently", ({ isOut }) => Number(isOut)],
  ["in_flight", "sum", "Calls of a deployment in progress", ({ inFlight }) => inFlight],
  [
    "first_token_seconds",
    "max",
    "Recent worst time from the call to the first token of a stream",
    ({ peakMs }) => (peakMs === undefined ? undefined : peakMs / 1000),
  ],
  ["headroom", "min", "Smallest share left of a deployment's rate limits, 0 to 1", ({ headroom }) => headroom],
];

/** Adds the gauges of the places; there are as many of each as are configured. */
export function addPlaceGauges(registry: Registry, places: () => readonly PlaceFigures[]): void {
  for (const [name, aggregator, help, of] of FIGURES) {
    new Gauge({
      name: `attune_deployment_${name}`,
      help,
      aggregator,
      labelNames: ["upstream", "upstream_model"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { upstream, upstreamModel, health } of places()) {
          const value = of(health);
          if (value !== undefined) this.set({ upstream, upstream_model: upstreamModel }, value);
        }
      },
    });
  }
}
