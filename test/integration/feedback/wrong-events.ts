import type { Optimize } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { entries, group, plain, type RpcEvent, score } from "./values.ts";

/** An event that is wrong, and what the error must say. */
export interface WrongEvent {
  readonly what: string;
  /**
   * Members of the JSON event beside its id, or its whole text with ID in the place of the id; undefined for RPC only.
   */
  readonly json?: object | string;
  readonly message: string;
  /** The same over RPC, where it can be said. */
  readonly rpc?: RpcEvent;
  readonly rpcMessage?: string;
}

const good = { helpful: true };
const levels = (count: number): object => (count === 0 ? { a: 1 } : { a: levels(count - 1) });

/** Events that must fail whole. */
export const WRONG_EVENTS: readonly WrongEvent[] = [
  {
    what: "an array",
    json: { feedback: { ...good, a: [1] } },
    message: "feedback.a: must be a boolean, a finite number",
  },
  {
    what: "a null in a group",
    json: { feedback: { q: { score: 1, reason: null } } },
    message: "feedback.q.reason: must be a string alongside a score",
  },
  {
    what: "a number beyond a double",
    json: '{"id":ID,"feedback":{"helpful":true,"a":1e400}}',
    message:
      "feedback.a: must be a boolean, a finite number, a string, an object or null, not a number that no double can hold",
    rpc: {
      feedback: entries([
        ["helpful", plain(true)],
        ["a", plain(Number.POSITIVE_INFINITY)],
      ]),
    },
    rpcMessage: "feedback.a: must be a finite number",
  },
  {
    what: "a score beyond a double",
    json: '{"id":ID,"feedback":{"q":{"score":-1e400,"reason":"x"}}}',
    message: "feedback.q.score: must be a boolean, a finite number",
    rpc: { feedback: entries([["q", score(Number.NaN, "x")]]) },
    rpcMessage: "feedback.q: must be a finite number",
  },
  {
    what: "tags that are an array",
    json: { feedback: good, tags: ["x"] },
    message: "tags: must be an object, not an array",
  },
  {
    what: "a tag that is a number",
    json: { feedback: good, tags: { a: 5 } },
    message: "tags.a: must be a string, not a",
  },
  { what: "a tag that is null", json: { feedback: good, tags: { a: null } }, message: "tags.a: is required: a string" },
  {
    what: "an unknown optimize",
    json: { feedback: good, optimize: "up" },
    message: "optimize: must be one of 'max', 'min'",
  },
  {
    what: "an optimize that is a number",
    json: { feedback: good, optimize: 1 },
    message: "optimize: must be one of 'max'",
  },
  {
    what: "an unknown optimize over RPC",
    message: "",
    rpc: { feedback: entries([["helpful", plain(true)]]), optimize: 7 as Optimize },
    rpcMessage: "optimize: must be OPTIMIZE_MAX or OPTIMIZE_MIN, not 7",
  },
  {
    what: "no feedback",
    json: {},
    message: "feedback: is required: an object",
  },
  {
    what: "feedback that is an array",
    json: { feedback: [good] },
    message: "feedback: must be an object, not an array",
  },
  { what: "feedback that is true", json: { feedback: true }, message: "feedback: must be an object, not a boolean" },
  {
    what: "an unknown member",
    json: { feedback: good, value: 1 },
    message: "value: is not a member of a feedback event",
  },
  { what: "null for an event", json: "null", message: "is required: an object" },
  { what: "a text for an event", json: '"helpful"', message: "must be an object, not a string" },
  { what: "an array for an event", json: "[]", message: "must be an object, not an array" },
  { what: "no id", json: '{"feedback":{}}', message: "id: is required: a string" },
  { what: "an id that is a number", json: '{"id":5,"feedback":{}}', message: "id: must be a string, not a number" },
  { what: "an empty id", json: '{"id":"","feedback":{}}', message: "id: is required: the id of the inference" },
  { what: "an id that is no UUID", json: '{"id":"x","feedback":{}}', message: "id: the inference 'x' does not exist" },
  {
    what: "a name that is empty",
    json: { feedback: { q: { "": true } } },
    message: "feedback.q: has a member with an empty name",
    rpc: { feedback: entries([["q", group(["", plain(true)])]]) },
    rpcMessage: "feedback.q: has a member with an empty name",
  },
  {
    what: "two values of one name",
    json: { feedback: { "a.b": 1, a: { b: 2 } } },
    message: "feedback.a.b: is given twice",
    rpc: {
      feedback: entries([
        ["a.b", plain(1)],
        ["a", group(["b", plain(2)])],
      ]),
    },
    rpcMessage: "feedback.a.b: is given twice",
  },
  {
    what: "33 levels",
    json: { feedback: levels(32) },
    message: "is nested deeper than 32 levels",
  },
  {
    what: "a NUL in a note",
    json: { feedback: { a: "x\0" } },
    message: "feedback.a: must not hold the character U+0000",
    rpc: { feedback: entries([["a", plain("x\0")]]) },
    rpcMessage: "feedback.a: must not hold the character U+0000",
  },
  {
    what: "a NUL in a name",
    json: { feedback: { "a\0": 1 } },
    message: "must not hold the character U+0000",
    rpc: { feedback: entries([["a\0", plain(1)]]) },
    rpcMessage: "must not hold the character U+0000",
  },
  {
    what: "a NUL in a tag",
    json: { feedback: good, tags: { a: "\0" } },
    message: "tags.a: must not hold the character U+0000",
    rpc: { feedback: entries([["helpful", plain(true)]]), tags: { a: "\0" } },
    rpcMessage: "tags.a: must not hold the character U+0000",
  },
  { what: "half of a surrogate pair", json: { feedback: { a: "\ud800" } }, message: "holds half of a surrogate pair" },
  {
    what: "a value that is not set, over RPC",
    message: "",
    rpc: { feedback: [{ name: "a" }] },
    rpcMessage: "feedback.a: is not set",
  },
];
