import { createHash } from "node:crypto";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createDigest, memberNames } from "../../../src/routing/steps/digest.ts";

const names = memberNames(InferenceInputSchema);
const digest = (value: unknown, most = 2 ** 22) => createDigest(value, { names, most });
const sha256 = (...parts: readonly (string | Uint8Array)[]) =>
  createHash("sha256")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest("base64");
/** A tag, and a length in four bytes, the lowest first. */
const head = (tag: number, length = 0) => [tag, length & 255, (length >> 8) & 255, (length >> 16) & 255, 0];

describe("createDigest()", () => {
  it("is the SHA-256 of tags, lengths and what they stand before", () => {
    const value = { a: ["Grüße", 1.5, true, false, null, 7n], b: new Uint8Array([1, 2]), c: undefined };
    const expected = [
      ...[...head(1), ...head(3, 1), 0x61, ...head(2, 6)],
      ...[...head(3, 5), ...Buffer.from("Grüße")],
      ...[...head(5), 0, 0, 0, 0, 0, 0, 0xf8, 0x3f],
      ...[...head(7), ...head(8), ...head(9), ...head(6), ...head(3, 1), 0x37],
      ...[...head(3, 1), 0x62, ...head(4, 2), 1, 2, ...head(0)],
    ];
    expect(digest(value)).toBe(sha256(new Uint8Array(expected)));
  });

  it.each([0, 1, 32, 33, 21_840, 21_845, 21_846, 65_530, 65_536, 300_000])(
    "digests texts of %i characters, whatever stands before them",
    (length) => {
      for (const letter of ["a", "ü", "世"]) {
        const text = letter.repeat(length);
        const parts = (value: string) => [new Uint8Array(head(3, value.length)), value];
        const before = "b".repeat(20_000);
        const all = [before, text, before, before, text].flatMap(parts);
        expect(digest([before, text, before, before, text])).toBe(sha256(new Uint8Array(head(2, 5)), ...all));
      }
    },
  );

  it("does not go by the order in which a message's members were set", () => {
    const message = create(InferenceInputSchema, { model: "m", temperature: 0, workload: "w", maxOutputTokens: 5 });
    const { model, workload, ...others } = message;
    const other = { workload, model, ...others };
    expect(Object.keys(other)).not.toEqual(Object.keys(message));
    expect(digest(other)).toBe(digest(message));
    expect(digest(fromBinary(InferenceInputSchema, toBinary(InferenceInputSchema, message)))).toBe(digest(message));
  });

  it("heeds members that a newer definition has", () => {
    // Field 4000, a length-delimited text: the tag is 4000 << 3 | 2 as a varint.
    const bytes = (text: string) => new Uint8Array([0x82, 0xfa, 0x01, text.length, ...Buffer.from(text)]);
    const [one, other, none] = ["a", "b", undefined].map((text) =>
      digest(fromBinary(InferenceInputSchema, text === undefined ? new Uint8Array() : bytes(text))),
    );
    expect(new Set([one, other, none]).size).toBe(3);
  });

  it.each([
    ["half a pair", "\ud83d"],
    ["half a pair in a long text", `${"word ".repeat(20)}\udc00`],
    ["half a pair in a very long text", `${"word ".repeat(20_000)}\ud83d!`],
    ["a function", () => undefined],
  ])("has none for %s", (_what, value) => {
    expect(digest({ member: [value] })).toBeUndefined();
  });

  it("has none for what is larger than it may be", () => {
    const most = 100;
    expect(digest("a".repeat(99), most)).toBeDefined();
    expect(digest("a".repeat(100), most)).toBeUndefined();
    expect(digest(new Uint8Array(100), most)).toBeUndefined();
    expect(digest([{}], most)).toBeDefined();
    expect(digest([{}, {}, {}], most)).toBeUndefined();
  });
});
