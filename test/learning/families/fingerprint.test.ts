import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createFingerprint, maskVolatile, toTemplate } from "../../../src/learning/families/fingerprint.ts";
import { growthOf, LINEAR } from "../../support/work-ratio.ts";

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });

describe("maskVolatile()", () => {
  it.each([
    ["Today is Monday, 23 November 2026, 10:15 UTC.", "today is #, # # #, # utc."],
    ["Ask jane.doe@example.com or see https://example.com/a?b=1 now", "ask # or see # now"],
    ["Session 01a20632-0fd7-7306-89ca-8d58bb49cc41 of user_0f3a9c1b2d4e", "session # of #"],
    ["Answer in at most five sentences.", "answer in at most five sentences."],
  ])("masks what changes: %s", (given, masked) => {
    expect(maskVolatile(given)).toBe(masked);
  });

  it.each(["a", "a-", "a.", "1", "1-", "a@", "-_"])(
    "takes no more than linear time for a long run of '%s'",
    async (piece) => {
      const mask = (times: number) => maskVolatile(`${piece.repeat(times)}_`);
      expect(await growthOf(mask, 10_000)).toBeLessThanOrEqual(LINEAR);
    },
  );
});

describe("toTemplate()", () => {
  it("takes the beginning and the end of long instructions, however many blocks they have", () => {
    const of = (...blocks: string[]) =>
      toTemplate(create(InferenceInputSchema, { system: blocks.map(text) })).instructions;
    const long = "x".repeat(10_000);
    expect(of("Begin", long, "End")).toBe(`Begin\n${"x".repeat(3066)}\n${"x".repeat(1019)}\nEnd\n`);
    expect(of("One", "Two")).toBe("One\nTwo");
    expect(of(...Array.from({ length: 50_000 }, () => "y"))).toHaveLength(3072 + 1 + 1024);
  });

  it("does not read a schema of megabytes", () => {
    const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`name${index}`, {}]));
    const schemaJson = JSON.stringify({ type: "object", properties });
    const value = { schemaJson };
    const input = create(InferenceInputSchema, { outputFormat: { kind: { case: "jsonSchema", value } } });
    expect(toTemplate(input).members).toEqual([schemaJson.slice(0, 3072)]);
    expect(createFingerprint(toTemplate(input))).toMatch(/^[0-9a-f]{16}$/);
  });
});
