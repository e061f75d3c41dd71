import { create } from "@bufbuild/protobuf";
import {
  type FeedbackEvent,
  FeedbackEventSchema,
  type FeedbackGroup,
  FeedbackGroupSchema,
  type FeedbackMember,
  FeedbackMemberSchema,
  type FeedbackScore,
  FeedbackScoreSchema,
  type FeedbackValue,
  FeedbackValueSchema,
  Optimize,
} from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { MAX_FEEDBACK_LEVELS } from "../../lib/feedback-levels.ts";
import { isJsonObject, type JsonObject } from "../../wire/json.ts";
import { memberPath, optional, readChoice, readObject, readString, WireError } from "../../wire/read.ts";

const KNOWN: ReadonlySet<string> = new Set(["id", "feedback", "tags", "optimize"]);

const OPTIMIZE = { max: Optimize.MAX, min: Optimize.MIN, maximize: Optimize.MAX, minimize: Optimize.MIN } as const;
const OPTIMIZE_NAMES = ["max", "min", "maximize", "minimize"] as const;

/** Decodes one event of POST /v1/feedback; `index` is its place in the array. Throws WireError. */
export function decodeFeedbackEvent(value: unknown, index: number): FeedbackEvent {
  const path = `[${index}]`;
  const event = readObject(value, path);
  for (const name of Object.keys(event)) {
    if (!KNOWN.has(name))
      throw new WireError(memberPath(path, name), "is not a member of a feedback event: leave it out");
  }
  const optimize = optional(event["optimize"], `${path}.optimize`, readChoice, OPTIMIZE_NAMES);
  return create(FeedbackEventSchema, {
    inferenceId: readString(event["id"], `${path}.id`),
    feedback: decodeGroup(readObject(event["feedback"], `${path}.feedback`), `${path}.feedback`, 1),
    tags: optional(event["tags"], `${path}.tags`, decodeTags) ?? {},
    optimize: optimize === undefined ? Optimize.UNSPECIFIED : OPTIMIZE[optimize],
  });
}

function decodeTags(value: unknown, path: string): Record<string, string> {
  const entries = Object.entries(readObject(value, path));
  return Object.fromEntries(entries.map(([name, tag]) => [name, readString(tag, memberPath(path, name))]));
}

function decodeGroup(group: JsonObject, path: string, level: number): FeedbackGroup {
  const members: FeedbackMember[] = [];
  for (const [name, value] of Object.entries(group)) {
    const place = memberPath(path, name);
    if (name === "") throw new WireError(path, "has a member with an empty name; give it one");
    if (level > MAX_FEEDBACK_LEVELS) {
      throw new WireError(place, `is nested deeper than ${MAX_FEEDBACK_LEVELS} levels`);
    }
    members.push(create(FeedbackMemberSchema, { name, value: decodeValue(value, place, level) }));
  }
  return create(FeedbackGroupSchema, { members });
}

function decodeValue(value: unknown, path: string, level: number): FeedbackValue {
  if (!isJsonObject(value)) return create(FeedbackValueSchema, { kind: decodeScalar(value, path) });
  const score = decodeScore(value, path);
  if (score !== undefined) return create(FeedbackValueSchema, { kind: { case: "score", value: score } });
  return create(FeedbackValueSchema, { kind: { case: "group", value: decodeGroup(value, path, level + 1) } });
}

/**
 * Decodes a structured score: an object with a `score` that is a boolean, number or string, and beside it nothing, or a
 * string `reason`. Any other object is a group, and undefined is returned.
 */
function decodeScore(object: JsonObject, path: string): FeedbackScore | undefined {
  const { score, reason } = object;
  const members = Object.keys(object).length;
  if (!Object.hasOwn(object, "score") || isJsonObject(score) || Array.isArray(score) || score === null)
    return undefined;
  if (members !== 1 && !(members === 2 && typeof reason === "string")) return undefined;
  return create(FeedbackScoreSchema, {
    score: decodeScalar(score, memberPath(path, "score")),
    reason: typeof reason === "string" ? reason : undefined,
  });
}

function decodeScalar(value: unknown, path: string): Exclude<FeedbackScore["score"], { case: undefined }> {
  if (typeof value === "boolean") return { case: "boolean", value };
  if (typeof value === "string") return { case: "text", value };
  const number = readMetric(value);
  if (number !== undefined) return { case: "number", value: number };
  throw new WireError(path, `must be a boolean, a finite number, a string or an object, not ${describe(value)}`);
}

/**
 * Metrics are doubles. A number that parseJson() kept as it was written, because a double does not print like it (1e-07,
 * 2^53+1), becomes the nearest one; undefined if that is not finite (1e400).
 */
function readMetric(value: unknown): number | undefined {
  const isWritten = typeof value === "object" && value !== null && !Array.isArray(value);
  const number = isWritten ? Number(JSON.stringify(value)) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return "a number that no double can hold";
}
