import { NO_FIGURE } from "./page.ts";

/** A figure that two sides tell differently. */
export interface Difference {
  readonly place: string;
  readonly expected: unknown;
  readonly shown: unknown;
}

/** Percentiles are right to 4.5%, from buckets; pages show tenths, and usage three digits. */
const PERCENTILE = /p(50|95|99)_?ms/i;
const NEAR = 0.052;

/** Compares what is shown with what is expected, and counts the figures; the order of groups is not looked at. */
export class Comparison {
  figures = 0;
  /** The figures that were compared, by page, route or command. */
  readonly figuresOf = new Map<string, number>();
  readonly differences: Difference[] = [];

  compare(place: string, expected: unknown, shown: unknown): void {
    if (expected === NO_FIGURE) return;
    if (Array.isArray(expected) && Array.isArray(shown)) {
      this.#compareLists(place, expected, shown);
      return;
    }
    if (isObject(expected) && isObject(shown)) {
      const names = new Set([...Object.keys(expected), ...Object.keys(shown)]);
      for (const name of names) this.compare(`${place}.${name}`, expected[name], shown[name]);
      return;
    }
    this.figures += 1;
    const [source = place] = /^[\w.]+(?=\()|^[^.[?]+/.exec(place) ?? [];
    this.figuresOf.set(source, (this.figuresOf.get(source) ?? 0) + 1);
    if (!isSame(place, expected, shown)) this.differences.push({ place, expected, shown });
  }

  #compareLists(place: string, expected: readonly unknown[], shown: readonly unknown[]): void {
    const names = namesOf(expected);
    const isGroups = [...expected, ...shown].every((item) => isObject(item) && [...names].some((name) => name in item));
    const keyed = (list: readonly unknown[]) =>
      new Map(list.map((item, at) => [isGroups ? identityOf(item, names) : String(at), item] as const));
    const [one, other] = [keyed(expected), keyed(shown)];
    for (const key of new Set([...one.keys(), ...other.keys()]))
      this.compare(`${place}[${key}]`, one.get(key), other.get(key));
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Texts that a group has and is not known by; what else it has of texts are its names. */
const NO_NAMES: ReadonlySet<string> = new Set(["latestId", "message", "optimize"]);

/** Returns the members that the groups of a list are known by. */
function namesOf(expected: readonly unknown[]): ReadonlySet<string> {
  const names = expected
    .filter(isObject)
    .flatMap((item) =>
      Object.entries(item).flatMap(([name, value]) => (typeof value === "string" && value !== NO_FIGURE ? [name] : [])),
    );
  return new Set([...names, "isRefused", "values"]).difference(NO_NAMES);
}

function identityOf(item: unknown, names: ReadonlySet<string>): string {
  return JSON.stringify(isObject(item) ? [...names].map((name) => inOrder(item[name])) : item);
}

function inOrder(value: unknown): unknown {
  return isObject(value) ? Object.entries(value).sort() : value;
}

function isSame(place: string, expected: unknown, shown: unknown): boolean {
  const [one, other] = [expected ?? null, shown ?? null];
  if (typeof one !== "number" || typeof other !== "number") return one === other;
  const apart = Math.abs(one - other);
  if (PERCENTILE.test(place)) return apart <= NEAR * one + 0.1;
  // Speeds are shown in tenths; Student's quantiles of tables have four digits.
  if (/tokensPerSecond/.test(place)) return apart <= 0.051 + 1e-4 * one;
  return apart <= (/\.(low|high)$/.test(place) ? 0.01 * Math.abs(one) + 0.02 : 1e-9 * Math.max(1, Math.abs(one)));
}
