import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { NullValue } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FeedbackEntrySchema } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { flattenFeedback } from "../../src/feedback/flatten.ts";
import { ErrorReason } from "../../src/hub/error.ts";

type Member = MessageInitShape<typeof FeedbackEntrySchema>;
type Value = Omit<Member, "name" | "$typeName" | "$unknown">;

const member = (name: string, value: Value): Member => ({ name, ...value });
const boolean = (value: boolean): Value => ({ value: { case: "boolean", value } });
const number = (value: number): Value => ({ value: { case: "number", value } });
const text = (value: string): Value => ({ value: { case: "text", value } });
const group = (...entries: Member[]): Value => ({ value: { case: "group", value: { entries } } });
const flattenAll = (...entries: Member[]) =>
  flattenFeedback(entries.map((entry) => create(FeedbackEntrySchema, entry)));
const flatten = (...entries: Member[]) => flattenAll(...entries).values;

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
  ] as const)("lets the value %j decide the kind of the entry", (value, content) => {
    expect(flatten({ name: "s", value, reason: "because" })).toEqual([{ name: "s", content, reason: "because" }]);
    expect(flatten({ name: "s", value })).toEqual([{ name: "s", content, reason: undefined }]);
  });

  it("tells names under which all is taken back from values", () => {
    const none = { value: { case: "none", value: NullValue.NULL_VALUE } } as const;
    const entries = [
      member("good", none),
      member("quality", group(member("tone", none), member("facts", boolean(true)))),
    ];
    expect(flattenAll(...entries)).toMatchObject({
      values: [{ name: "quality.facts" }],
      takenBack: ["good", "quality.tone"],
    });
    expect(() => flattenAll({ name: "good", ...none, reason: "by mistake" })).toThrow(
      "feedback.good: is withdrawn and cannot have a reason",
    );
  });

  it("takes 32 levels", () => {
    expect(flatten(nested(32)).map(({ name }) => name)).toEqual([Array(32).fill("n").join(".")]);
  });

  const unset = "is not set: give a boolean, a number, a string, a group or null";
  const twice = "is given twice: names are unique once they are joined with dots";
  it.each([
    ["a value that is not set", [member("quality", group(member("tone", {})))], `feedback.quality.tone: ${unset}`],
    ["a member without a value", [{ name: "tone" }], `feedback.tone: ${unset}`],
    ["a reason without a value", [{ name: "tone", reason: "r" }], `feedback.tone: ${unset}`],
    [
      "a reason of a group",
      [{ ...member("quality", group(member("tone", boolean(true)))), reason: "r" }],
      "feedback.quality: is a group and cannot have a reason: give reasons to its values",
    ],
    ["an empty name", [member("", boolean(true))], "feedback: has a member with an empty name; give it one"],
    [
      "an empty name inside",
      [member("quality", group(member("", boolean(true))))],
      "feedback.quality: has a member with an empty name; give it one",
    ],
    ["NaN", [member("x", number(Number.NaN))], "feedback.x: must be a finite number"],
    ["an infinite number", [member("x", number(-Infinity))], "feedback.x: must be a finite number"],
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
      [{ ...member("x", number(1)), reason: "\ud83d" }],
      "feedback.x.reason: holds half of a surrogate pair, which isn't a character",
    ],
  ])("refuses %s, and names the place", (_what, members, message) => {
    expect(failureOf(() => flatten(...members))).toMatchObject({ reason: ErrorReason.INVALID_REQUEST, message });
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
      .map(({ value }) => (value?.case === "group" ? countLeaves(value.value.entries ?? []) : 1))
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
