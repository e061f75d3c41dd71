import { type Aggregator, Gauge, type Registry } from "prom-client";

/** One of several keys of an upstream, and what this process knows of it. */
export interface KeyFigures {
  readonly upstream: string;
  /** Its place in the configuration. */
  readonly name: string;
  readonly state: "ready" | "resting" | "refused";
  readonly inFlight: number;
  /** Undefined if the upstream tells of no limit. */
  readonly headroom: number | undefined;
}

type Figure = readonly [
  name: string,
  /** The aggregation over several processes on one port. */
  together: Aggregator,
  help: string,
  of: (key: KeyFigures) => number | undefined,
];

const FIGURES: readonly Figure[] = [
  ["refused", "max", "1 while an upstream refuses a key, and calls use others", (key) => isIn(key, "refused")],
  ["resting", "max", "1 while a rate limit of a key is used up", (key) => isIn(key, "resting")],
  ["in_flight", "sum", "Calls by a key in progress", ({ inFlight }) => inFlight],
  ["headroom", "min", "Smallest share left of a key's rate limits, 0 to 1", ({ headroom }) => headroom],
];

/** Adds the gauges of keys; there are as many of each as are configured, and none for upstreams with one key. */
export function addKeyGauges(registry: Registry, keys: () => readonly KeyFigures[]): void {
  for (const [name, aggregator, help, of] of FIGURES) {
    new Gauge({
      name: `attune_upstream_key_${name}`,
      help,
      aggregator,
      labelNames: ["upstream", "key"],
      registers: [registry],
      collect() {
        this.reset();
        for (const key of keys()) {
          const value = of(key);
          if (value !== undefined) this.set({ upstream: key.upstream, key: key.name }, value);
        }
      },
    });
  }
}

function isIn(key: KeyFigures, state: KeyFigures["state"]): number {
  return Number(key.state === state);
}
