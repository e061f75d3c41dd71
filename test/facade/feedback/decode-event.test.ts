import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { NullValue } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  type FeedbackEntrySchema,
  FeedbackEventSchema,
  Optimize,
} from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { FEEDBACK_EVENT } from "../../../src/facade/feedback/decode-event.ts";
import { parseJson } from "../../../src/formats/shared/json.ts";
import { WireError } from "../../../src/formats/shared/read.ts";

const ID = "0190a5a0-7d6e-7000-8000-00000000000a";

type Entries = MessageInitShape<typeof FeedbackEntrySchema>[];

const decodeEvent = (event: unknown, index: number) => FEEDBACK_EVENT.read(event, `[${index}]`, undefined);

const decode = (json: string) => decodeEvent(parseJson(json), 3);
const decodeFeedback = (json: string) => decode(`{"id":"${ID}","feedback":${json}}`).feedback;
const entriesOf = (feedback: Entries) => create(FeedbackEventSchema, { feedback }).feedback;

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof WireError) return error.message;
    throw error;
  }
  return "nothing was thrown";
}

describe("FEEDBACK_EVENT", () => {
  it("decodes an event with all its members", () => {
    const json = `{"id":"${ID}","feedback":{"ok":true,"quality":{"tone":4,"note":"kind"}},"tags":{"app":"chat"},"optimize":"min"}`;
    expect(decode(json)).toEqual(
      create(FeedbackEventSchema, {
        inferenceId: ID,
        feedback: [
          { name: "ok", value: { case: "boolean", value: true } },
          {
            name: "quality",
            value: {
              case: "group",
              value: {
                entries: [
                  { name: "tone", value: { case: "number", value: 4 } },
                  { name: "note", value: { case: "text", value: "kind" } },
                ],
              },
            },
          },
        ],
        tags: { app: "chat" },
        optimize: Optimize.MIN,
      }),
    );
  });

  it("takes null for what is taken back, also in a group and as a score", () => {
    const none = { case: "none", value: NullValue.NULL_VALUE } as const;
    expect(decodeFeedback('{"good":null,"quality":{"tone":null},"stars":{"score":null}}')).toEqual(
      entriesOf([
        { name: "good", value: none },
        { name: "quality", value: { case: "group", value: { entries: [{ name: "tone", value: none }] } } },
        { name: "stars", value: none },
      ]),
    );
  });

  it("takes null tags and optimize for not given", () => {
    const event = decode(`{"id":"${ID}","feedback":{},"tags":null,"optimize":null}`);
    expect(event).toEqual(create(FeedbackEventSchema, { inferenceId: ID }));
  });

  it.each([
    ["max", Optimize.MAX],
    ["maximize", Optimize.MAX],
    ["min", Optimize.MIN],
    ["minimize", Optimize.MIN],
  ])("reads optimize '%s'", (name, optimize) => {
    expect(decode(`{"id":"${ID}","feedback":{},"optimize":"${name}"}`).optimize).toBe(optimize);
  });

  it.each([
    ['{"score":true}', { value: { case: "boolean", value: true } }],
    ['{"score":0}', { value: { case: "number", value: 0 } }],
    ['{"score":"good"}', { value: { case: "text", value: "good" } }],
    ['{"score":5,"reason":"because"}', { value: { case: "number", value: 5 }, reason: "because" }],
    ['{"reason":"","score":1e-07}', { value: { case: "number", value: 1e-7 }, reason: "" }],
  ] as const)("takes %s for a structured score", (json, score) => {
    expect(decodeFeedback(`{"x":${json}}`)).toEqual(entriesOf([{ name: "x", ...score }]));
  });

  it.each([
    ['{"score":1,"confidence":2}', ["score", "confidence"]],
    ['{"score":1,"reason":5}', ["score", "reason"]],
    ['{"score":{"a":1},"reason":"r"}', ["score", "reason"]],
    ['{"reason":"r"}', ["reason"]],
    ['{"score":1,"reason":"r","more":"m"}', ["score", "reason", "more"]],
    ["{}", []],
  ])("takes %s for a group", (json, names) => {
    const value = decodeFeedback(`{"x":${json}}`)[0]?.value;
    expect(value?.case === "group" && value.value.entries.map(({ name }) => name)).toEqual(names);
  });

  it("takes a score at the top for a metric of that name, for it has no other", () => {
    expect(decodeFeedback('{"score":5,"reason":"r"}')).toEqual(
      entriesOf([
        { name: "score", value: { case: "number", value: 5 } },
        { name: "reason", value: { case: "text", value: "r" } },
      ]),
    );
  });

  it.each([
    ["0.30000000000000004", 0.30000000000000004],
    ["1e-07", 1e-7],
    ["1E3", 1000],
    ["9007199254740993", 9007199254740992],
    ["0.1234567890123456789", 0.12345678901234568],
    ["1.7976931348623157e308", Number.MAX_VALUE],
  ])("takes the nearest double for %s", (json, value) => {
    expect(decodeFeedback(`{"x":${json}}`)).toEqual(entriesOf([{ name: "x", value: { case: "number", value } }]));
  });

  it("treats __proto__ and constructor as names like any other", () => {
    const event = decode(`{"id":"${ID}","feedback":{"__proto__":1,"constructor":2},"tags":{"__proto__":"t"}}`);
    expect(event.feedback.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
    expect(Object.entries(event.tags)).toEqual([["__proto__", "t"]]);
    expect(Object.getPrototypeOf(event.tags)).toBe(Object.prototype);
  });

  const feedback = (json: string) => `{"id":"${ID}","feedback":${json}}`;
  const scalar = "must be a boolean, a finite number, a string, an object or null, not";
  it.each([
    ["1", "[3]: must be an object, not a number"],
    ["null", "[3]: is required: an object"],
    ["[]", "[3]: must be an object, not an array"],
    ['{"feedback":{}}', "[3].id: is required: a string"],
    ['{"id":7,"feedback":{}}', "[3].id: must be a string, not a number"],
    [`{"id":"${ID}"}`, "[3].feedback: is required: an object"],
    [feedback("null"), "[3].feedback: is required: an object"],
    [feedback("[]"), "[3].feedback: must be an object, not an array"],
    [feedback("true"), "[3].feedback: must be an object, not a boolean"],
    [feedback('{"x":{"y":[1]}}'), `[3].feedback.x.y: ${scalar} an array`],
    [feedback('{"x":1e400}'), `[3].feedback.x: ${scalar} a number that no double can hold`],
    [feedback('{"x":{"score":-1e400}}'), `[3].feedback.x.score: ${scalar} a number that no double can hold`],
    [feedback('{"x":{"score":1,"reason":null}}'), "[3].feedback.x.reason: must be a string alongside a score"],
    [feedback('{"x":{"score":[1],"reason":"r"}}'), `[3].feedback.x.score: ${scalar} an array`],
    [feedback('{"":1}'), "[3].feedback: has a member with an empty name; give it one"],
    [`{"id":"${ID}","feedback":{},"tags":[]}`, "[3].tags: must be an object, not an array"],
    [`{"id":"${ID}","feedback":{},"tags":{"a":1}}`, "[3].tags.a: must be a string, not a number"],
    [`{"id":"${ID}","feedback":{},"tags":{"a":null}}`, "[3].tags.a: is required: a string"],
    [
      `{"id":"${ID}","feedback":{},"optimize":"best"}`,
      "[3].optimize: must be one of 'max', 'min', 'maximize', 'minimize', not 'best'",
    ],
    [
      `{"id":"${ID}","feedback":{},"optimize":true}`,
      "[3].optimize: must be one of 'max', 'min', 'maximize', 'minimize', not a boolean",
    ],
    [
      `{"id":"${ID}","feedback":{},"comment":1}`,
      "[3].comment: is not a member of a feedback event, which has id, session, feedback, tags, optimize",
    ],
  ])("refuses %s, and names the place", (json, message) => {
    expect(messageOf(() => decode(json))).toBe(message);
  });

  function nested(levels: number): unknown {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = { n: value };
    return value;
  }

  it("takes 32 levels, and refuses more without following them", () => {
    expect(decodeEvent({ id: ID, feedback: nested(32) }, 0).feedback).toHaveLength(1);
    for (const levels of [33, 100_000]) {
      expect(messageOf(() => decodeEvent({ id: ID, feedback: nested(levels) }, 0))).toBe(
        `[0].feedback${".n".repeat(33)}: is nested deeper than 32 levels`,
      );
    }
  });

  it("refuses infinity where the body was parsed without exact numbers", () => {
    const event = { id: ID, feedback: { x: Number.POSITIVE_INFINITY } };
    expect(messageOf(() => decodeEvent(event, 0))).toBe(`[0].feedback.x: ${scalar} a number that no double can hold`);
  });
});
