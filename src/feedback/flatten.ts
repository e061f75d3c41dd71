import type {
  FeedbackGroup,
  FeedbackMember,
  FeedbackScore,
  FeedbackValue,
} from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { MAX_FEEDBACK_LEVELS } from "../lib/feedback-levels.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import { checkText } from "./check-text.ts";
import { EventError } from "./event-error.ts";
import type { FeedbackContent } from "./ports.ts";

/** One value under its full name. */
export interface FlatValue {
  /** Names of nested groups joined with dots. */
  readonly name: string;
  readonly content: FeedbackContent;
  /** Why, where the caller gave a score with a reason. */
  readonly reason?: string | undefined;
}

/** Most values of one event: each is an entry of its own. */
const MAX_VALUES = 1000;

/**
 * Flattens nested feedback, in order: `{quality: {tone: true}}` becomes `quality.tone`. Throws EventError for an empty name,
 * two values that end up under one name, a value that is not set or not finite, more than 1,000 values, and more than 32 levels.
 */
export function flattenFeedback(feedback: FeedbackGroup): FlatValue[] {
  const values = new Map<string, FlatValue>();
  for (const value of flattenGroup(feedback, [])) {
    if (values.has(value.name)) {
      throw EventError.at(`feedback.${value.name}`, "is given twice: names are unique once they are joined with dots");
    }
    values.set(value.name, value);
    if (values.size > MAX_VALUES) {
      throw EventError.at("feedback", `has more than ${MAX_VALUES} values: send them in several events`);
    }
  }
  return [...values.values()];
}

function* flattenGroup(group: FeedbackGroup, path: readonly string[]): Generator<FlatValue> {
  for (const member of group.members) {
    const memberPath = [...path, member.name];
    checkName(member, memberPath);
    yield* flattenValue(member.value, memberPath);
  }
}

function checkName({ name }: FeedbackMember, path: readonly string[]): void {
  if (name === "") throw EventError.at(placeOf(path.slice(0, -1)), "has a member with an empty name; give it one");
  checkText(name, () => placeOf(path));
  const problem = hiddenCharacterProblem(name);
  if (problem !== undefined) throw EventError.at(placeOf(path.slice(0, -1)), `has a member whose name ${problem}`);
  if (path.length > MAX_FEEDBACK_LEVELS) {
    throw EventError.at(placeOf(path), `is nested deeper than ${MAX_FEEDBACK_LEVELS} levels`);
  }
}

function* flattenValue(value: FeedbackValue | undefined, path: readonly string[]): Generator<FlatValue> {
  const kind = value?.kind ?? { case: undefined };
  const name = path.join(".");
  switch (kind.case) {
    case "group":
      yield* flattenGroup(kind.value, path);
      return;
    case "score":
      yield flattenScore(kind.value, path);
      return;
    default:
      yield { name, content: contentOf(kind, path) };
  }
}

function flattenScore({ score, reason }: FeedbackScore, path: readonly string[]): FlatValue {
  const content = contentOf(score, [...path, "score"]);
  if (reason !== undefined) checkText(reason, () => `${placeOf(path)}.reason`);
  return { name: path.join("."), content, reason };
}

/** The kind of the value decides the kind of the entry. */
function contentOf(scalar: FeedbackScore["score"], path: readonly string[]): FeedbackContent {
  switch (scalar.case) {
    case "boolean":
      return { kind: "boolean", value: scalar.value };
    case "number":
      if (Number.isFinite(scalar.value)) return { kind: "float", value: scalar.value };
      throw EventError.at(placeOf(path), "must be a finite number");
    case "text":
      return { kind: "note", value: checkText(scalar.value, () => placeOf(path)) };
    case undefined:
      throw EventError.at(placeOf(path), "is not set: give a boolean, a number, a string or a group");
  }
}

function placeOf(path: readonly string[]): string {
  return ["feedback", ...path].join(".");
}
