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
import {
  choiceMember,
  closed,
  decodedMember,
  recordMember,
  required,
  textMember,
} from "../../formats/shared/member.ts";
import { memberPath, readObject, readString, WireError } from "../../formats/shared/read.ts";
import { record, ref } from "../../formats/shared/schema.ts";
import { MAX_FEEDBACK_LEVELS } from "../../hub/feedback-levels.ts";
import { isObject } from "../../lib/is-object.ts";

const OPTIMIZE = { max: Optimize.MAX, min: Optimize.MIN, maximize: Optimize.MAX, minimize: Optimize.MIN } as const;

const MEMBERS = {
  id: textMember("Id of an answer, or of a candidate"),
  session: textMember("Session whose calls the feedback is on, instead of `id`"),
  feedback: required({
    read: (value: unknown, path: string) => decodeEntries(readObject(value, path), path, 1),
    schema: record(ref("FeedbackValue"), "Metrics and notes, by their names"),
  }),
  tags: recordMember({ read: readString, schema: { type: "string" } }, "Texts stored with the feedback"),
  optimize: choiceMember(["max", "min", "maximize", "minimize"], "Direction in which the metrics get better"),
};

/** An event of POST /v1/feedback. */
export const FEEDBACK_EVENT = closed(
  decodedMember(
    MEMBERS,
    "Feedback on an answer or a session",
    ({ id, session, feedback, tags, optimize }, { object, path }): FeedbackEvent =>
      create(FeedbackEventSchema, {
        // A session may stand in the place of the id.
        inferenceId: id ?? (session === undefined ? readString(object["id"], `${path}.id`) : ""),
        sessionId: session ?? "",
        feedback,
        tags: tags ?? {},
        optimize: optimize === undefined ? Optimize.UNSPECIFIED : OPTIMIZE[optimize],
      }),
  ),
  `is not a member of a feedback event, which has ${Object.keys(MEMBERS).join(", ")}`,
);

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
  if (members === 2 && reason === null) throw new WireError(`${path}.reason`, "must be a string alongside a score");
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
