import { describe, expect, it } from "vitest";
import { ToolChoiceMode } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createBreakDraw } from "../../../src/upstream/sandbox/broken-json.ts";
import { type InputInit, run, tool, user, WEATHER } from "./harness.ts";

const schema = JSON.stringify({ type: "object", properties: { n: { const: 7 } }, required: ["n"] });
const asJson: InputInit = { outputFormat: { kind: { case: "jsonSchema", value: { name: "s", schemaJson: schema } } } };

describe("the directive broken-json", () => {
  it("takes the last character off JSON and arguments, and ends as if nothing were wrong", async () => {
    const broken = await run({ ...asJson, model: "attune/m:sandbox-broken-json" });
    expect(broken.blocks).toEqual(['text {"n":7']);
    expect(broken.finished?.reason).toBe(FinishReason.STOP);
    const called = await run({
      model: "attune/m:sandbox-broken-json",
      messages: [user('For "Oslo"')],
      tools: [tool("get_weather", WEATHER)],
      toolChoice: { mode: ToolChoiceMode.REQUIRED },
    });
    expect(called.blocks).toEqual(['toolUse get_weather {"city":"Oslo"']);
  });

  it("leaves texts as they are, and everything where none is to be broken", async () => {
    expect((await run({ ...asJson, model: "attune/m:sandbox-broken-json=0" })).blocks).toEqual(['text {"n":7}']);
    expect((await run({ model: "attune/m:sandbox-broken-json" })).blocks).toEqual((await run({})).blocks);
  });
});

describe("createBreakDraw()", () => {
  it("breaks so many of 100 in the long run, always the same ones", () => {
    const draw = (percent: number): boolean[] => {
      const isBroken = createBreakDraw();
      return Array.from({ length: 2000 }, () => isBroken(percent));
    };
    const drawn = draw(40);
    expect(drawn).toEqual(draw(40));
    expect(Math.abs(drawn.filter(Boolean).length - 800)).toBeLessThan(70);
    expect(draw(100).every(Boolean)).toBe(true);
    expect(draw(0).some(Boolean)).toBe(false);
  });
});
