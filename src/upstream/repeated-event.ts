import type { JsonObject } from "../wire/json.ts";
import { type JsonPath, JsonTemplate } from "../wire/json-template.ts";

/** Templates that are learned for one answer: a stream whose events have little in common is parsed as it is. */
const MOST_LEARNED = 6;

/** An event of a format that brings a piece of text and, if it comes again with another one, nothing else that is new. */
export interface PlainEvent {
  /** Whether an event is such a one. */
  readonly isPlain: (event: JsonObject) => boolean;
  /** Where its text is, and what else differs from event to event. */
  readonly paths: readonly [text: JsonPath, ...others: JsonPath[]];
}

type Value = string | number | undefined;

/** What a repeated event says: its text, and what else differs. */
export type RepeatedValues = readonly [text: string, ...others: Value[]];

function hasText(values: readonly Value[]): values is RepeatedValues {
  return typeof values[0] === "string";
}

/** Reads the events of one stream that say the same but for a piece of text, without parsing each. */
export class RepeatedEvent {
  readonly #plain: PlainEvent;
  #template: JsonTemplate | undefined;
  #learned = 0;

  constructor(plain: PlainEvent) {
    this.#plain = plain;
  }

  /**
   * Returns the text and the other values at the paths of an event that is otherwise like the last one that was parsed; undefined for any
   * other.
   */
  read(data: string): RepeatedValues | undefined {
    const values = this.#template?.read(data);
    return values !== undefined && hasText(values) ? values : undefined;
  }

  /** Learns from an event that was parsed. What an event has changed that is not plain, a plain one of before might change back. */
  learn(data: string, event: JsonObject): void {
    this.#template = undefined;
    if (this.#learned >= MOST_LEARNED || !this.#plain.isPlain(event)) return;
    this.#learned += 1;
    this.#template = JsonTemplate.learn(data, event, this.#plain.paths);
  }
}

/** Whether a value says nothing. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether all members but those that are named are single values, which say the same when they come again. */
export function areSingle(members: JsonObject, but: ReadonlySet<string>): boolean {
  for (const name in members)
    if (!but.has(name) && typeof members[name] === "object" && members[name] !== null) return false;
  return true;
}
