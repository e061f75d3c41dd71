import { KINDS, type Kind, type Problem } from "./judge.ts";

/** Something wrong, and the input that showed it. */
export interface Finding extends Problem {
  readonly area: string;
  /** Undefined where no input can be named. */
  readonly input?: number;
  readonly what: string;
}

/**
 * Findings of one kind in one area that are kept with all that is known, at most one of those that read alike; more are
 * counted.
 */
const KEPT = 12;
const SHOWN_LENGTH = 900;

/** What was found, counted and with examples. */
export class Findings {
  readonly #found = new Map<string, Finding[]>();
  readonly #counts = new Map<string, number>();
  readonly #report: (line: string) => void;

  /** `report` takes a line for each finding that is kept. */
  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  add(finding: Finding): void {
    const place = `${finding.area} ${finding.kind}`;
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    const kept = this.#found.get(place) ?? [];
    if (kept.length >= KEPT || kept.some(({ detail }) => likeness(detail) === likeness(finding.detail))) return;
    this.#found.set(place, [...kept, finding]);
    this.#report(describe(finding));
  }

  count(area: string, kind: Kind): number {
    return this.#counts.get(`${area} ${kind}`) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get examples(): readonly Finding[] {
    return [...this.#found.values()].flat();
  }

  /** How many kinds of problems were looked for and not found in these areas, and how many were. */
  checks(areas: readonly string[]): { readonly passed: number; readonly failed: number } {
    const failed = areas.flatMap((area) => KINDS.filter((kind) => this.count(area, kind) > 0)).length;
    return { passed: areas.length * KINDS.length - failed, failed };
  }
}

/** What is left of a text without its numbers and ids. */
function likeness(detail: string): string {
  return detail.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, "#").slice(0, 80);
}

function describe({ area, input, kind, detail, what }: Finding): string {
  const at = input === undefined ? "" : ` input ${input}`;
  return `FOUND ${area}${at}: ${kind}: ${detail}\n      ${what.slice(0, SHOWN_LENGTH)}`;
}
