import { describe, expect, it } from "vitest";
import { ToolChoiceMode } from "../../../../gen/attune/content/v1/content_pb.ts";
import { chooseByWord } from "../../../../src/formats/shared/tool-forms/choose-by-word.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";

const tool = (name: string) => ({ kind: { case: "function" as const, value: { name } } });
const asking = (toolChoice: HubInit["toolChoice"]) =>
  createHubInput({ tools: [tool("look"), tool("find")], ...(toolChoice && { toolChoice }) });
const RULES = { maxLength: 64, customTools: "none", toolChoices: "words" } as const;

describe("chooseByWord()", () => {
  it("offers a tool that is demanded by its name alone, and requires one", () => {
    const rewritten = chooseByWord(asking({ mode: ToolChoiceMode.NAMED, name: "find" }), RULES);
    expect(rewritten?.input).toMatchObject({
      tools: [{ kind: { value: { name: "find" } } }],
      toolChoice: { mode: ToolChoiceMode.REQUIRED, name: "" },
    });
    expect(rewritten?.placeOf("tools[0].strict")).toBe("tools[1].strict");
  });

  it("offers the allowed ones, by the mode that was asked for", () => {
    const rewritten = chooseByWord(asking({ mode: ToolChoiceMode.AUTO, allowedNames: ["look"] }), RULES);
    expect(rewritten?.input).toMatchObject({
      tools: [{ kind: { value: { name: "look" } } }],
      toolChoice: { mode: ToolChoiceMode.AUTO, allowedNames: [] },
    });
  });

  it("names what a server that decides itself cannot be told", () => {
    const auto = { ...RULES, toolChoices: "auto" } as const;
    const required = chooseByWord(asking({ mode: ToolChoiceMode.REQUIRED }), auto);
    expect(required?.losses).toEqual(["tool_choice"]);
    expect(required?.input.tools).toHaveLength(2);
    const named = chooseByWord(asking({ mode: ToolChoiceMode.NAMED, name: "find" }), auto);
    expect(named?.losses).toEqual(["tool_choice"]);
    expect(named?.input).toMatchObject({
      tools: [{ kind: { value: { name: "find" } } }],
      toolChoice: { mode: ToolChoiceMode.AUTO },
    });
    const none = chooseByWord(asking({ mode: ToolChoiceMode.NONE }), auto);
    expect([none?.losses, none?.input.tools, none?.input.toolChoice]).toEqual([[], [], undefined]);
    expect(chooseByWord(asking({ mode: ToolChoiceMode.AUTO }), auto)).toBeUndefined();
  });

  it.each([
    ["a choice without names", asking({ mode: ToolChoiceMode.REQUIRED }), RULES],
    ["no choice", asking(undefined), RULES],
    ["a name of no tool, which is refused by its place", asking({ mode: ToolChoiceMode.NAMED, name: "x" }), RULES],
    [
      "a server that takes names",
      asking({ mode: ToolChoiceMode.NAMED, name: "find" }),
      { ...RULES, toolChoices: "named" as const },
    ],
  ])("leaves %s", (_what, input, rules) => {
    expect(chooseByWord(input, rules)).toBeUndefined();
  });
});
