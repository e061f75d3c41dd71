import { describe, expect, it } from "vitest";
import { readContentParts } from "../../../../src/formats/chat/answer/content-reader.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";

function read(...parts: unknown[]) {
  const unknown: JsonObject[] = [];
  return { pieces: readContentParts(parts, (part) => unknown.push(part)), unknown };
}

describe("readContentParts()", () => {
  it("reads texts, refusals and thinking in their order", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "Mull" }], closed: true };
    expect(read(thinking, { type: "text", text: "An" }, { type: "refusal", refusal: "no" })).toEqual({
      pieces: [
        { kind: "thinking", text: "Mull" },
        { kind: "text", text: "An" },
        { kind: "refusal", text: "no" },
      ],
      unknown: [],
    });
  });

  it("reads thinking that is one text, and its signature", () => {
    const { pieces } = read({ type: "thinking", thinking: "Mull", signature: "sig" });
    expect(pieces).toEqual([
      { kind: "thinking", text: "Mull" },
      { kind: "signature", text: "sig", extra: undefined },
    ]);
  });

  it("hands on parts that it does not know, those inside of thinking too", () => {
    const reference = { type: "reference", reference_ids: [1] };
    expect(read(reference, { type: "thinking", thinking: [reference] })).toEqual({
      pieces: [],
      unknown: [reference, reference],
    });
  });

  it("leaves out empty texts", () => {
    expect(read({ type: "text", text: "" }, { type: "thinking", thinking: [] }).pieces).toEqual([]);
  });

  it("reads texts among the parts, and parts as Responses names them", () => {
    expect(read("An", { type: "output_text", text: "swer" })).toEqual({
      pieces: [
        { kind: "text", text: "An" },
        { kind: "text", text: "swer" },
      ],
      unknown: [],
    });
  });

  it.each([[[1]], [[{ type: "text", text: 1 }]], [[{ type: "thinking", thinking: 1 }]]])("refuses %j", (parts) => {
    expect(() => read(...parts)).toThrow("the upstream's answer is broken");
  });
});
