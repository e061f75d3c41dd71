import type { FeedbackEntry } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceError } from "../hub/error.ts";
import { MAX_FEEDBACK_LEVELS } from "../hub/feedback-levels.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import { checkText } from "./check-text.ts";
import type { FeedbackContent } from "./ports.ts";

/** One value under its full name. */
export interface FlatValue {
  /** Names of nested groups joined with dots. */
  readonly name: string;
  readonly content: FeedbackContent;
  /** Why, where the caller gave a score with a reason. */
  readonly reason?: string | undefined;
}

/** The values of an event, and what it takes back. */
interface FlatFeedback {
  readonly values: FlatValue[];
  /** Names of values, or of groups of them. */
  readonly takenBack: string[];
}

/** Tells whether a name is that of a value or a group, or lies in that group. */
export function isWithin(name: string, group: string): boolean {
  return name === group || name.startsWith(`${group}.`);
}

/** Most values of one event: each is an entry of its own. */
const MAX_VALUES = 1000;

/**
 * Flattens nested feedback, in order: `{quality: {tone: true}}` becomes `quality.tone`. Null is taken back. Throws
 * INVALID_REQUEST for an empty name, two values that end up under one name, a value that is not set or not finite, more
 * than 1,000 values, and more than 32 levels.
 */
export function flattenFeedback(feedback: readonly FeedbackEntry[]): FlatFeedback {
  const values = new Map<string, FlatValue | TakenBack>();
  for (const value of flattenAll(feedback, [])) {
    if (values.has(value.name)) {
      throw InferenceError.invalid(
        `feedback.${value.name}`,
        "is given twice: names are unique once they are joined with dots",
      );
    }
    values.set(value.name, value);
    if (values.size > MAX_VALUES) {
      throw InferenceError.invalid("feedback", `has more than ${MAX_VALUES} values: send them in several events`);
    }
  }
  const flat = [...values.values()];
  return {
    values: flat.filter((value) => "content" in value),
    takenBack: flat.flatMap((value) => ("content" in value ? [] : value.name)),
  };
}

/** A name under which all is taken back. */
interface TakenBack {
  readonly name: string;
}

function* flattenAll(entries: readonly FeedbackEntry[], path: readonly string[]): Generator<FlatValue | TakenBack> {
  for (const entry of entries) {
    const entryPath = [...path, entry.name];
    checkName(entry, entryPath);
    yield* flattenEntry(entry, entryPath);
  }
}

function checkName({ name }: FeedbackEntry, path: readonly string[]): void {
  if (name === "")
    throw InferenceError.invalid(placeOf(path.slice(0, -1)), "has a member with an empty name; give it one");
  checkText(name, () => placeOf(path));
  const problem = hiddenCharacterProblem(name);
  if (problem !== undefined)
    throw InferenceError.invalid(placeOf(path.slice(0, -1)), `has a member whose name ${problem}`);
  if (path.length > MAX_FEEDBACK_LEVELS) {
    throw InferenceError.invalid(placeOf(path), `is nested deeper than ${MAX_FEEDBACK_LEVELS} levels`);
  }
}

function* flattenEntry({ value, reason }: FeedbackEntry, path: readonly string[]): Generator<FlatValue | TakenBack> {
  if (reason !== undefined) checkText(reason, () => `${placeOf(path)}.reason`);
  if (value.case === "none") {
    if (reason !== undefined) throw InferenceError.invalid(placeOf(path), "is withdrawn and cannot have a reason");
    yield { name: path.join(".") };
    return;
  }
  if (value.case !== "group") {
    yield { name: path.join("."), content: contentOf(value, path), reason };
    return;
  }
  if (reason !== undefined) {
    throw InferenceError.invalid(placeOf(path), "is a group and cannot have a reason: give reasons to its values");
  }
  yield* flattenAll(value.value.entries, path);
}

/** The kind of the value decides the kind of the entry. */
function contentOf(
  value: Exclude<FeedbackEntry["value"], { case: "group" } | { case: "none" }>,
  path: readonly string[],
): FeedbackContent {
  switch (value.case) {
    case "boolean":
      return { kind: "boolean", value: value.value };
    case "number":
      if (Number.isFinite(value.value)) return { kind: "float", value: value.value };
      throw InferenceError.invalid(placeOf(path), "must be a finite number");
    case "text":
      return { kind: "note", value: checkText(value.value, () => placeOf(path)) };
    case undefined:
      throw InferenceError.invalid(placeOf(path), "is not set: give a boolean, a number, a string, a group or null");
  }
}

function placeOf(path: readonly string[]): string {
  return ["feedback", ...path].join(".");
}
