import { Counter, Gauge, type Registry } from "prom-client";

/** A deployment that was compared with the plain call, and what that told. */
export interface AuditFigures {
  readonly key: { readonly model: string; readonly place: { readonly upstream: string; readonly model: string } };
  readonly standing: string;
  readonly difference: object | undefined;
  readonly report: {
    readonly samples: number;
    readonly match: Interval;
    readonly baseMatch: Interval;
    readonly distance: number | undefined;
    readonly baseDistance: number | undefined;
    readonly measures: readonly { readonly measure: string; readonly eValue: number }[];
  };
}

/** An estimate and between what the true value lies. */
interface Interval {
  readonly estimate: number | undefined;
  readonly low: number;
  readonly high: number;
}

/** Counts what is compared. */
export interface AuditCounts {
  called(key: AuditFigures["key"], costNanos: number | undefined): void;
  compared(key: AuditFigures["key"]): void;
  skipped(why: string): void;
}

const PLACE_LABELS = ["model", "upstream", "upstream_model"] as const;

type Figure = readonly [name: string, help: string, of: (figures: AuditFigures) => number | undefined];

const FIGURES: readonly Figure[] = [
  ["samples", "Answers of a deployment that were compared, by all processes", ({ report }) => report.samples],
  [
    "out",
    "1 while a deployment is taken out because its answers differ from the first one",
    (figures) => Number(figures.standing === "out"),
  ],
  [
    "different",
    "1 if the answers of a deployment differ from the first one",
    (figures) => Number(figures.difference !== undefined),
  ],
  [
    "text_distance",
    "Mean distance of a deployment's texts to those of the plain call, 0 to 1",
    ({ report }) => report.distance,
  ],
  [
    "base_text_distance",
    "Mean distance of the plain call's texts to its own, 0 to 1",
    ({ report }) => report.baseDistance,
  ],
];

/** Processes on one database have the same evidence: several say no more than one. */
const ALIKE = { aggregator: "max" } as const;

/** Registers the metrics of the audit; there are as many of each as deployments were compared. */
export function addAuditMetrics(registry: Registry, audits: () => readonly AuditFigures[]): AuditCounts {
  const registers = [registry];
  for (const [name, help, of] of FIGURES) {
    new Gauge({
      name: `attune_audit_${name}`,
      help,
      labelNames: PLACE_LABELS,
      registers,
      ...ALIKE,
      collect() {
        this.reset();
        for (const figures of audits()) {
          const value = of(figures);
          if (value !== undefined) this.set(labelsOf(figures.key), value);
        }
      },
    });
  }
  addMatch(registry, audits);
  addEvidence(registry, audits);
  return createAuditCounts(registry);
}

function addMatch(registry: Registry, audits: () => readonly AuditFigures[]): void {
  new Gauge({
    ...ALIKE,
    name: "attune_audit_match_share",
    help:
      "Share of deterministic requests with the same answer as the plain call (of=base: of the plain call with " +
      "itself). bound: estimate, or an end of its 95% interval",
    labelNames: [...PLACE_LABELS, "of", "bound"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { key, report } of audits()) {
        for (const [of, { estimate, low, high }] of [
          ["deployment", report.match],
          ["base", report.baseMatch],
        ] as const) {
          if (estimate === undefined) continue;
          for (const [bound, value] of Object.entries({ estimate, low, high })) {
            this.set({ ...labelsOf(key), of, bound }, value);
          }
        }
      }
    },
  });
}

function addEvidence(registry: Registry, audits: () => readonly AuditFigures[]): void {
  new Gauge({
    ...ALIKE,
    name: "attune_audit_e_value",
    help: "E-value for the hypothesis that a deployment differs, by measure",
    labelNames: [...PLACE_LABELS, "measure"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { key, report } of audits()) {
        for (const { measure, eValue } of report.measures) this.set({ ...labelsOf(key), measure }, eValue);
      }
    },
  });
}

function createAuditCounts(registry: Registry): AuditCounts {
  const registers = [registry];
  const calls = new Counter({
    name: "attune_audit_calls_total",
    labelNames: PLACE_LABELS,
    registers,
    help: "Plain calls that this process made to compare a deployment's answers; no caller pays for them",
  });
  const cost = new Counter({
    name: "attune_audit_cost_nano_usd_total",
    labelNames: PLACE_LABELS,
    registers,
    help: "Their cost in billionths of a USD, where models have a price",
  });
  const compared = new Counter({
    name: "attune_audit_compared_total",
    labelNames: PLACE_LABELS,
    registers,
    help: "Answers that this process compared",
  });
  const skipped = new Counter({
    name: "attune_audit_skipped_total",
    help:
      "Answers that were drawn and not compared: no room (full), no calls left (budget), no money left " +
      "(spend), a prompt that was compared before (repeated), a plain call that failed, or no database (store)",
    labelNames: ["reason"] as const,
    registers,
  });
  return {
    called(key, costNanos) {
      calls.inc(labelsOf(key));
      if (costNanos !== undefined) cost.inc(labelsOf(key), costNanos);
    },
    compared: (key) => compared.inc(labelsOf(key)),
    skipped: (reason) => skipped.inc({ reason }),
  };
}

function labelsOf({ model, place }: AuditFigures["key"]) {
  return { model, upstream: place.upstream, upstream_model: place.model };
}
