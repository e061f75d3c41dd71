import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ToolChoiceMode, ToolChoiceSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { checkCallPossible } from "../../../src/formats/shared/check-call-possible.ts";

const flat = { type: "function", name: "f" };
const nested = { type: "function", function: { name: "g" } };
const custom = { type: "custom", custom: { name: "h" } };

describe("checkCallPossible()", () => {
  it.each([
    ["no choice", undefined, []],
    ["leave to call", create(ToolChoiceSchema, { mode: ToolChoiceMode.AUTO }), []],
    ["a demand and a tool", create(ToolChoiceSchema, { mode: ToolChoiceMode.REQUIRED }), [flat]],
    ["a tool by its name", create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name: "f" }), [flat]],
    [
      "a tool by its name one level down",
      create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name: "g" }),
      [nested],
    ],
    ["a custom tool", create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name: "h" }), [nested, custom]],
  ])("takes %s", (_what, choice, tools) => {
    expect(() => checkCallPossible(choice, tools)).not.toThrow();
  });

  it("refuses a demand without a tool", () => {
    const choice = create(ToolChoiceSchema, { mode: ToolChoiceMode.REQUIRED });
    expect(() => checkCallPossible(choice, [])).toThrow(
      "tool_choice: requires a call, but the upstream supports none of the tools: define one as a function",
    );
  });

  it("refuses the name of a tool that is not there", () => {
    const choice = create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name: "x" });
    expect(() => checkCallPossible(choice, [flat, nested, custom])).toThrow(
      "tool_choice: requires a call of 'x', but the upstream does not support that tool: define it as a function",
    );
  });
});
