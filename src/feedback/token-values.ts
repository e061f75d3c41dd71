import { LRUCache } from "lru-cache";
import { InferenceError } from "../hub/error.ts";
import type { FeedbackGrant } from "../hub/principal.ts";
import { isWithin } from "./flatten.ts";
import type { CountValues, NamedContent, ReadRatedNames, TokenBounds } from "./ports.ts";

/** Raters of answers whose values are counted; those that were not heard of longest go, and are read again. */
const MOST_COUNTED = 10_000;

/** The values that a rater gave on an answer. */
interface CountedValues {
  count: number;
  /** The names that may be given once. */
  readonly names: Set<string>;
}

/** Bounds what feedback tokens send: the values of a rater on an answer, and the metrics that a token is for. */
export class TokenValues implements TokenBounds {
  readonly #most: number;
  readonly #read: ReadRatedNames;
  readonly #given = new LRUCache<string, CountedValues>({ max: MOST_COUNTED });

  constructor(most: number, read: ReadRatedNames) {
    this.#most = most;
    this.#read = read;
  }

  /**
   * Reads what was given before, where that is not known. While it cannot be read, what this process has heard counts.
   */
  async open(grant: FeedbackGrant, projectId: string): Promise<CountValues> {
    const key = JSON.stringify([projectId, grant.inferenceId, grant.attempt, grant.sessionId, grant.rater]);
    const known = this.#given.get(key);
    const before = known === undefined ? await this.#read(grant, projectId, this.#most).catch(() => []) : [];
    const given = this.#given.get(key) ?? { count: before.length, names: new Set(before) };
    this.#given.set(key, given);
    return ({ values, takenBack }) => {
      for (const name of takenBack) release(name, grant, given);
      this.#take(given, grant, values);
    };
  }

  /** Counts the values of an event. Throws INVALID_REQUEST where one may not be sent, and counts none of them then. */
  #take(given: CountedValues, { metrics }: FeedbackGrant, values: readonly NamedContent[]): void {
    if (metrics !== undefined) for (const value of values) checkGranted(value, metrics, given.names);
    if (given.count + values.length > this.#most) {
      const problem =
        `has ${countText(values.length)}, and ${given.count} were given on this before: a feedback token sends at ` +
        `most ${this.#most} on one answer or session (server.limits.tokenValues)`;
      throw InferenceError.invalid("feedback", problem);
    }
    given.count += values.length;
    if (metrics !== undefined) for (const { name } of values) given.names.add(name);
  }
}

function countText(values: number): string {
  return values === 1 ? "1 value" : `${values} values`;
}

/** Lets what is taken back be given again; it goes on counting as a value. */
function release(group: string, { metrics }: FeedbackGrant, { names }: CountedValues): void {
  if (metrics !== undefined && !Object.keys(metrics).some((name) => isWithin(name, group))) {
    throw notGranted(group, metrics);
  }
  for (const name of names) if (isWithin(name, group)) names.delete(name);
}

function notGranted(name: string, metrics: NonNullable<FeedbackGrant["metrics"]>): InferenceError {
  const problem = `is not for this feedback token, which sends ${Object.keys(metrics).join(", ")}`;
  return InferenceError.invalid(`feedback.${name}`, problem);
}

function checkGranted(
  { name, content }: NamedContent,
  metrics: NonNullable<FeedbackGrant["metrics"]>,
  given: Set<string>,
) {
  const place = `feedback.${name}`;
  const granted = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  if (granted === undefined) throw notGranted(name, metrics);
  if (granted.several !== true && given.has(name)) {
    throw InferenceError.invalid(place, "was given before, and this feedback token sends it once");
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = granted;
  if (granted.min === undefined && granted.max === undefined) return;
  if (content.kind === "float" && content.value >= min && content.value <= max) return;
  throw InferenceError.invalid(place, `must be a number ${rangeText(granted)} with this feedback token`);
}

function rangeText({ min, max }: { readonly min?: number | undefined; readonly max?: number | undefined }): string {
  if (min === undefined) return `up to ${max}`;
  return max === undefined ? `from ${min}` : `from ${min} to ${max}`;
}
