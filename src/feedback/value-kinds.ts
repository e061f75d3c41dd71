import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { FeedbackContent, NewFeedbackEntry, ReadKinds, ValueName } from "./ports.ts";

type Kind = FeedbackContent["kind"];

/** Names of values whose kinds are known; those that came longest ago go, and are read again. */
const MOST_NAMES = 10_000;
/** Names of one part of a batch whose kinds are read: of others nothing is told. */
const MOST_READ = 20;
/** The time that feedback waits for the kinds of its names. */
const READ_MS = 100;

const WORDS: Readonly<Record<Kind, readonly [one: string, several: string]>> = {
  boolean: ["true or false", "true or false"],
  float: ["a number", "numbers"],
  note: ["a text", "texts"],
};

/** The kinds of values by their names: values of several kinds under one name are several metrics. */
export class ValueKinds {
  readonly #read: ReadKinds;
  readonly #kinds = new LRUCache<string, Set<Kind>>({ max: MOST_NAMES });

  constructor(read: ReadKinds) {
    this.#read = read;
  }

  /** Reads the kinds of names that are not known yet. While they cannot be read, nothing is told of them. */
  async open(values: readonly ValueName[]): Promise<void> {
    const unknown = new Map(values.filter((value) => !this.#kinds.has(keyOf(value))).map((one) => [keyOf(one), one]));
    if (unknown.size === 0) return;
    const reading = [...unknown].slice(0, MOST_READ).map(async ([key, { projectId, name }]) => {
      const kinds = await this.#read(projectId, name).catch(() => undefined);
      if (kinds !== undefined && !this.#kinds.has(key)) this.#kinds.set(key, new Set(kinds));
    });
    const limit = new AbortController();
    await Promise.race([Promise.all(reading), delay(READ_MS, undefined, limit).catch(() => {})]);
    limit.abort();
  }

  /** Takes note of a value. Returns a warning for the first one of another kind than those of its name before. */
  note({ projectId, name, content: { kind } }: ValueName & Pick<NewFeedbackEntry, "content">): string | undefined {
    const known = this.#kinds.get(keyOf({ projectId, name }));
    if (known === undefined || known.has(kind)) return undefined;
    const before = [...known].map((each) => WORDS[each][1]);
    known.add(kind);
    return before.length === 0
      ? undefined
      : `feedback.${name} is ${WORDS[kind][0]}, and earlier values of this name are ${before.join(" and ")}: each kind ` +
          "is a metric of its own, so send one kind under a name";
  }
}

function keyOf({ projectId, name }: ValueName): string {
  return `${projectId} ${name}`;
}
