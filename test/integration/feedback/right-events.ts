import { Optimize } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { entries, group, plain, type RpcEvent, score } from "./values.ts";

/** What must be stored of one value. */
export interface StoredValue {
  readonly kind: "boolean" | "float" | "note";
  readonly value: boolean | number | string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly optimize?: "max" | "min";
}

/** An event that is right, on both ways in, and what becomes of it. */
export interface RightEvent {
  readonly what: string;
  /** Members of the JSON event beside its id: an object, or their text. */
  readonly json: object | string;
  /** Undefined where only JSON can say it. */
  readonly rpc?: RpcEvent;
  /** By flattened name, in order. */
  readonly stored: Readonly<Record<string, StoredValue>>;
}

const boolean = (value: boolean): StoredValue => ({ kind: "boolean", value });
const float = (value: number): StoredValue => ({ kind: "float", value });
const note = (value: string): StoredValue => ({ kind: "note", value });
const levels = (count: number): object => (count === 0 ? { a: 1 } : { a: levels(count - 1) });
const rpcLevels = (count: number): ReturnType<typeof group> =>
  count === 0 ? plain(1) : group(["a", rpcLevels(count - 1)]);
const helpful = { helpful: true };
const rpcHelpful = entries([["helpful", plain(true)]]);

const VALUES: readonly RightEvent[] = [
  {
    what: "booleans, which are boolean metrics",
    json: { feedback: { helpful: true, rude: false } },
    rpc: {
      feedback: entries([
        ["helpful", plain(true)],
        ["rude", plain(false)],
      ]),
    },
    stored: { helpful: boolean(true), rude: boolean(false) },
  },
  {
    what: "integers, which become floats",
    json: { feedback: { stars: 4, errors: -2, none: 0 } },
    rpc: {
      feedback: entries([
        ["stars", plain(4)],
        ["errors", plain(-2)],
        ["none", plain(0)],
      ]),
    },
    stored: { stars: float(4), errors: float(-2), none: float(0) },
  },
  {
    what: "floats of any size",
    json: { feedback: { half: 0.5, tiny: 5e-324, huge: 1.7976931348623157e308 } },
    rpc: {
      feedback: entries([
        ["half", plain(0.5)],
        ["tiny", plain(5e-324)],
        ["huge", plain(Number.MAX_VALUE)],
      ]),
    },
    stored: { half: float(0.5), tiny: float(5e-324), huge: float(Number.MAX_VALUE) },
  },
  {
    what: "a number that no double holds, as the nearest one",
    json: '"feedback":{"count":9007199254740993,"small":1e-07}',
    stored: { count: float(9007199254740992), small: float(1e-7) },
  },
  {
    what: "texts, which are notes",
    json: { feedback: { comment: "Gut 👍\n'quoted' \"too\"", empty: "" } },
    rpc: {
      feedback: entries([
        ["comment", plain("Gut 👍\n'quoted' \"too\"")],
        ["empty", plain("")],
      ]),
    },
    stored: { comment: note("Gut 👍\n'quoted' \"too\""), empty: note("") },
  },
  { what: "nothing", json: { feedback: {} }, rpc: { feedback: entries([]) }, stored: {} },
  {
    what: "groups of nothing",
    json: { feedback: { a: {}, b: { c: {} } } },
    rpc: {
      feedback: entries([
        ["a", group()],
        ["b", group(["c", group()])],
      ]),
    },
    stored: {},
  },
  {
    what: "groups, whose names are joined with dots",
    json: { feedback: { quality: { tone: { warm: true }, length: 3 }, "a.b": 1 } },
    rpc: {
      feedback: entries([
        ["quality", group(["tone", group(["warm", plain(true)])], ["length", plain(3)])],
        ["a.b", plain(1)],
      ]),
    },
    stored: { "quality.tone.warm": boolean(true), "quality.length": float(3), "a.b": float(1) },
  },
  {
    what: "32 levels",
    json: { feedback: levels(31) },
    rpc: { feedback: entries([["a", rpcLevels(31)]]) },
    stored: { [Array(32).fill("a").join(".")]: float(1) },
  },
  {
    what: "names that every object of JavaScript has",
    json: '"feedback":{"__proto__":true,"constructor":{"__proto__":2},"toString":"x"}',
    rpc: {
      feedback: entries([
        ["__proto__", plain(true)],
        ["constructor", group(["__proto__", plain(2)])],
        ["toString", plain("x")],
      ]),
    },
    stored: Object.fromEntries([
      ["__proto__", boolean(true)],
      ["constructor.__proto__", float(2)],
      ["toString", note("x")],
    ]),
  },
];

/** The table of docs/decisions/0007-structured-scores.md, and its edges. */
const SCORES: readonly RightEvent[] = [
  {
    what: "a score alone",
    json: { feedback: { quality: { score: 0.5 } } },
    rpc: { feedback: entries([["quality", score(0.5)]]) },
    stored: { quality: float(0.5) },
  },
  {
    what: "a score with a reason, which becomes a tag",
    json: { feedback: { quality: { score: true, reason: "short" } } },
    rpc: { feedback: entries([["quality", score(true, "short")]]) },
    stored: { quality: { ...boolean(true), tags: { reason: "short" } } },
  },
  {
    what: "a score that is a text",
    json: { feedback: { quality: { reason: "", score: "fine" } } },
    rpc: { feedback: entries([["quality", score("fine", "")]]) },
    stored: { quality: { ...note("fine"), tags: { reason: "" } } },
  },
  {
    what: "a group with a score among others",
    json: { feedback: { quality: { score: 0.5, tone: 1 } } },
    rpc: { feedback: entries([["quality", group(["score", plain(0.5)], ["tone", plain(1)])]]) },
    stored: { "quality.score": float(0.5), "quality.tone": float(1) },
  },
  {
    what: "a group whose reason is a number",
    json: { feedback: { quality: { score: 0.5, reason: 3 } } },
    rpc: { feedback: entries([["quality", group(["score", plain(0.5)], ["reason", plain(3)])]]) },
    stored: { "quality.score": float(0.5), "quality.reason": float(3) },
  },
  {
    what: "a group whose score is a group",
    json: { feedback: { quality: { score: { a: 1 } } } },
    rpc: { feedback: entries([["quality", group(["score", group(["a", plain(1)])])]]) },
    stored: { "quality.score.a": float(1) },
  },
  {
    what: "a group with a score, a reason and one more",
    json: { feedback: { quality: { score: 1, reason: "x", by: "me" } } },
    rpc: { feedback: entries([["quality", group(["score", plain(1)], ["reason", plain("x")], ["by", plain("me")])]]) },
    stored: { "quality.score": float(1), "quality.reason": note("x"), "quality.by": note("me") },
  },
  {
    what: "a reason without score",
    json: { feedback: { quality: { reason: "x" } } },
    rpc: { feedback: entries([["quality", group(["reason", plain("x")])]]) },
    stored: { "quality.reason": note("x") },
  },
  {
    what: "score and reason at the top, where names stand",
    json: { feedback: { score: 1, reason: "x" } },
    rpc: {
      feedback: entries([
        ["score", plain(1)],
        ["reason", plain("x")],
      ]),
    },
    stored: { score: float(1), reason: note("x") },
  },
];

const TAGS: readonly RightEvent[] = [
  {
    what: "tags, which every value has",
    json: { feedback: { a: true, b: { c: 2 } }, tags: { page: "help", "": "x" } },
    rpc: {
      feedback: entries([
        ["a", plain(true)],
        ["b", group(["c", plain(2)])],
      ]),
      tags: { page: "help", "": "x" },
    },
    stored: {
      a: { ...boolean(true), tags: { page: "help", "": "x" } },
      "b.c": { ...float(2), tags: { page: "help", "": "x" } },
    },
  },
  {
    what: "a reason over a tag of that name",
    json: { feedback: { a: { score: 1, reason: "mine" }, b: 2 }, tags: { reason: "all", page: "help" } },
    rpc: {
      feedback: entries([
        ["a", score(1, "mine")],
        ["b", plain(2)],
      ]),
      tags: { reason: "all", page: "help" },
    },
    stored: {
      a: { ...float(1), tags: { reason: "mine", page: "help" } },
      b: { ...float(2), tags: { reason: "all", page: "help" } },
    },
  },
  {
    what: "null for what is not given",
    json: { feedback: helpful, tags: null, optimize: null },
    stored: { helpful: boolean(true) },
  },
  {
    what: "metrics to maximise",
    json: { feedback: helpful, optimize: "max" },
    rpc: { feedback: rpcHelpful, optimize: Optimize.MAX },
    stored: { helpful: { ...boolean(true), optimize: "max" } },
  },
  {
    what: "metrics to minimise",
    json: { feedback: helpful, optimize: "min" },
    rpc: { feedback: rpcHelpful, optimize: Optimize.MIN },
    stored: { helpful: { ...boolean(true), optimize: "min" } },
  },
];

/** Events that must be stored. */
export const RIGHT_EVENTS: readonly RightEvent[] = [...VALUES, ...SCORES, ...TAGS];
