import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { NullValue } from "@bufbuild/protobuf/wkt";
import {
  type FeedbackEntry,
  FeedbackEntrySchema,
  type FeedbackEvent,
  FeedbackEventSchema,
  FeedbackGroupSchema,
  Optimize,
} from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { memberPath, optional, readChoice, readObject, readString, WireError } from "../../formats/shared/read.ts";
import { MAX_FEEDBACK_LEVELS } from "../../hub/feedback-levels.ts";
import { isObject } from "../../lib/is-object.ts";

/** Members of an event. */
export const FEEDBACK_MEMBERS = ["id", "session", "feedback", "tags", "optimize"] as const;

const KNOWN: ReadonlySet<string> = new Set(FEEDBACK_MEMBERS);

const UNKNOWN_MEMBER = `is not a member of a feedback event, which has ${FEEDBACK_MEMBERS.join(", ")}`;

const OPTIMIZE = { max: Optimize.MAX, min: Optimize.MIN, maximize: Optimize.MAX, minimize: Optimize.MIN } as const;
/** Directions in which a metric gets better. */
export const OPTIMIZE_NAMES = ["max", "min", "maximize", "minimize"] as const;

/** Decodes one event of POST /v1/feedback; `index` is its place in the array. Throws WireError. */
export function decodeFeedbackEvent(value: unknown, index: number): FeedbackEvent {
  const path = `[${index}]`;
  const event = readObject(value, path);
  for (const name of Object.keys(event)) {
    if (!KNOWN.has(name)) throw new WireError(memberPath(path, name), UNKNOWN_MEMBER);
  }
  const optimize = optional(event["optimize"], `${path}.optimize`, readChoice, OPTIMIZE_NAMES);
  return create(FeedbackEventSchema, {
    inferenceId: readTarget(event, path),
    sessionId: optional(event["session"], `${path}.session`, readString) ?? "",
    feedback: decodeEntries(readObject(event["feedback"], `${path}.feedback`), `${path}.feedback`, 1),
    tags: optional(event["tags"], `${path}.tags`, decodeTags) ?? {},
    optimize: optimize === undefined ? Optimize.UNSPECIFIED : OPTIMIZE[optimize],
  });
}

/** Reads the id, in whose place a session may stand. */
function readTarget(event: JsonObject, path: string): string {
  return event["id"] === undefined && event["session"] !== undefined ? "" : readString(event["id"], `${path}.id`);
}

function decodeTags(value: unknown, path: string): Record<string, string> {
  const entries = Object.entries(readObject(value, path));
  return Object.fromEntries(entries.map(([name, tag]) => [name, readString(tag, memberPath(path, name))]));
}

function decodeEntries(group: JsonObject, path: string, level: number): FeedbackEntry[] {
  const entries: FeedbackEntry[] = [];
  for (const [name, value] of Object.entries(group)) {
    const place = memberPath(path, name);
    if (name === "") throw new WireError(path, "has a member with an empty name; give it one");
    if (level > MAX_FEEDBACK_LEVELS) {
      throw new WireError(place, `is nested deeper than ${MAX_FEEDBACK_LEVELS} levels`);
    }
    entries.push(create(FeedbackEntrySchema, { name, ...decodeValue(value, place, level) }));
  }
  return entries;
}

type Value = Omit<MessageInitShape<typeof FeedbackEntrySchema>, "name" | "$typeName" | "$unknown">;

function decodeValue(value: unknown, path: string, level: number): Value {
  if (!isJsonObject(value)) return { value: decodeScalar(value, path) };
  const score = decodeScore(value, path);
  if (score !== undefined) return score;
  const entries = decodeEntries(value, path, level + 1);
  return { value: { case: "group", value: create(FeedbackGroupSchema, { entries }) } };
}

/**
 * Decodes a structured score: an object with a `score` that is a boolean, number, string or null, and beside it
 * nothing, or a string `reason`. Any other object is a group, and undefined is returned.
 */
function decodeScore(object: JsonObject, path: string): Value | undefined {
  const { score, reason } = object;
  const members = Object.keys(object).length;
  if (!Object.hasOwn(object, "score") || isJsonObject(score) || Array.isArray(score)) return undefined;
  if (members === 2 && reason === null) throw new WireError(`${path}.reason`, "must be a string beside a score");
  if (members !== 1 && !(members === 2 && typeof reason === "string")) return undefined;
  const value = decodeScalar(score, memberPath(path, "score"));
  return typeof reason === "string" ? { value, reason } : { value };
}

type Scalar = Exclude<FeedbackEntry["value"], { case: undefined } | { case: "group" }>;

function decodeScalar(value: unknown, path: string): Scalar {
  if (value === null) return { case: "none", value: NullValue.NULL_VALUE };
  if (typeof value === "boolean") return { case: "boolean", value };
  if (typeof value === "string") return { case: "text", value };
  const number = readMetric(value);
  if (number !== undefined) return { case: "number", value: number };
  throw new WireError(path, `must be a boolean, a finite number, a string, an object or null, not ${describe(value)}`);
}

/**
 * Metrics are doubles. A number that parseJson() kept as it was written, because a double does not print like it
 * (1e-07, 2^53+1), becomes the nearest one; undefined if that is not finite (1e400).
 */
function readMetric(value: unknown): number | undefined {
  const number = isObject(value) ? Number(JSON.stringify(value)) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return "a number that no double can hold";
}
