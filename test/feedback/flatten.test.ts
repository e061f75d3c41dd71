import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FeedbackGroupSchema,
  type FeedbackMemberSchema,
  type FeedbackValueSchema,
} from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { EventError } from "../../src/feedback/event-error.ts";
import { flattenFeedback } from "../../src/feedback/flatten.ts";

type Member = MessageInitShape<typeof FeedbackMemberSchema>;
type Value = MessageInitShape<typeof FeedbackValueSchema>;

const member = (name: string, value: Value): Member => ({ name, value });
const boolean = (value: boolean): Value => ({ kind: { case: "boolean", value } });
const number = (value: number): Value => ({ kind: { case: "number", value } });
const text = (value: string): Value => ({ kind: { case: "text", value } });
const group = (...members: Member[]): Value => ({ kind: { case: "group", value: { members } } });
const flatten = (...members: Member[]) => flattenFeedback(create(FeedbackGroupSchema, { members }));

function nested(levels: number): Member {
  const inner = levels === 1 ? boolean(true) : group(nested(levels - 1));
  return member("n", inner);
}

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("flattenFeedback()", () => {
  it("gives nothing for an empty group, at any level", () => {
    expect(flatten()).toEqual([]);
    expect(flatten(member("quality", group()))).toEqual([]);
  });

  it("joins names with dots, and keeps the order", () => {
    const flat = flatten(
      member("z", boolean(false)),
      member("quality", group(member("tone", number(1)), member("10", text("good")))),
      member("a", number(-0.5)),
    );
    expect(flat).toEqual([
      { name: "z", content: { kind: "boolean", value: false } },
      { name: "quality.tone", content: { kind: "float", value: 1 } },
      { name: "quality.10", content: { kind: "note", value: "good" } },
      { name: "a", content: { kind: "float", value: -0.5 } },
    ]);
  });

  it.each([
    [
      { case: "boolean", value: true },
      { kind: "boolean", value: true },
    ],
    [
      { case: "number", value: 0.25 },
      { kind: "float", value: 0.25 },
    ],
    [
      { case: "text", value: "" },
      { kind: "note", value: "" },
    ],
  ] as const)("lets the score %j decide the kind of a structured score", (score, content) => {
    const value: Value = { kind: { case: "score", value: { score, reason: "because" } } };
    expect(flatten(member("s", value))).toEqual([{ name: "s", content, reason: "because" }]);
    const bare: Value = { kind: { case: "score", value: { score } } };
    expect(flatten(member("s", bare))).toEqual([{ name: "s", content, reason: undefined }]);
  });

  it("takes 32 levels", () => {
    expect(flatten(nested(32)).map(({ name }) => name)).toEqual([Array(32).fill("n").join(".")]);
  });

  const unset = "is not set: give a boolean, a number, a string or a group";
  const twice = "is given twice: names are unique once they are joined with dots";
  it.each([
    ["a value that is not set", [member("quality", group(member("tone", {})))], `feedback.quality.tone: ${unset}`],
    ["a member without a value", [{ name: "tone" }], `feedback.tone: ${unset}`],
    [
      "a score that is not set",
      [member("tone", { kind: { case: "score", value: { reason: "r" } } })],
      `feedback.tone.score: ${unset}`,
    ],
    ["an empty name", [member("", boolean(true))], "feedback: has a member with an empty name; give it one"],
    [
      "an empty name inside",
      [member("quality", group(member("", boolean(true))))],
      "feedback.quality: has a member with an empty name; give it one",
    ],
    ["NaN", [member("x", number(Number.NaN))], "feedback.x: must be a finite number"],
    [
      "an infinite score",
      [member("x", { kind: { case: "score", value: { score: { case: "number", value: -Infinity } } } })],
      "feedback.x.score: must be a finite number",
    ],
    ["a name twice", [member("x", boolean(true)), member("x", number(1))], `feedback.x: ${twice}`],
    [
      "a name twice after joining",
      [member("a.b", boolean(true)), member("a", group(member("b", boolean(true))))],
      `feedback.a.b: ${twice}`,
    ],
    ["33 levels", [nested(33)], `feedback.${Array(33).fill("n").join(".")}: is nested deeper than 32 levels`],
    ["U+0000 in a note", [member("x", text("a\0b"))], "feedback.x: must not hold the character U+0000"],
    ["U+0000 in a name", [member("x\0", text("a"))], "feedback.x\0: must not hold the character U+0000"],
    [
      "half a surrogate pair in a reason",
      [member("x", { kind: { case: "score", value: { score: { case: "number", value: 1 }, reason: "\ud83d" } } })],
      "feedback.x.reason: holds half of a surrogate pair, which is no character",
    ],
  ])("refuses %s, and names the place", (_what, members, message) => {
    expect(failureOf(() => flatten(...members))).toEqual(new EventError(400, message));
  });

  const { tree } = fc.letrec<{ tree: Member[] }>((tie) => ({
    tree: fc.uniqueArray(
      fc
        .tuple(
          fc.stringMatching(/^[a-z_]{1,8}$/),
          fc.oneof(
            { maxDepth: 5 },
            fc.boolean().map(boolean),
            fc.double({ noNaN: true, noDefaultInfinity: true }).map(number),
            fc
              .string()
              .filter((value) => !value.includes("\0"))
              .map(text),
            tie("tree").map((members) => group(...members)),
          ),
        )
        .map(([name, value]) => member(name, value)),
      { selector: ({ name }) => name, maxLength: 5 },
    ),
  }));

  function countLeaves(members: readonly Member[]): number {
    return members
      .map(({ value }) => value?.kind)
      .map((kind) => (kind?.case === "group" ? countLeaves(kind.value.members ?? []) : 1))
      .reduce((sum, count) => sum + count, 0);
  }

  it("gives as many values as there are leaves, each under a name of its own", () => {
    fc.assert(
      fc.property(tree, (members) => {
        const names = flatten(...members).map(({ name }) => name);
        expect(names).toHaveLength(countLeaves(members));
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});
