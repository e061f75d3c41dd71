import { describe, expect, it } from "vitest";
import {
  ContentBlockSchema,
  FunctionToolSchema,
  ImageBlockSchema,
  ReasoningSchema,
} from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers, memberNames, requestNames } from "../../src/hub/field-names.ts";

describe("requestNames()", () => {
  it("names fields of the request, those inside of reasoning and of the answer's form, and headers", () => {
    expect(requestNames("messages")).toMatchObject({
      max_output_tokens: "max_tokens",
      "reasoning.effort": "output_config.effort",
      "output_format.schema_json": "output_config.format.schema",
      betas: "anthropic-beta",
    });
    expect(requestNames("chat")).not.toHaveProperty("top_k");
  });
});

describe("memberNames()", () => {
  it("names the members of what a block or a tool is", () => {
    expect(memberNames("responses", "toolUse")).toEqual({ id: "call_id", name: "name", arguments: "arguments" });
    expect(memberNames("messages", "function")["parameters_json"]).toBe("input_schema");
    expect(memberNames("chat", "opaque")).toEqual({});
  });
});

describe("knownMembers()", () => {
  it("has the members of an object, and of one inside it", () => {
    const image = knownMembers("chat", [ImageBlockSchema, ContentBlockSchema], { further: ["type"] });
    expect(image).toEqual(new Set(["type", "image_url", "prompt_cache_breakpoint"]));
    expect(knownMembers("chat", [ImageBlockSchema], { path: "image_url" })).toEqual(new Set(["url", "detail"]));
    const config = knownMembers("messages", [InferenceInputSchema, ReasoningSchema], { path: "output_config" });
    expect(config).toEqual(new Set(["effort", "format"]));
    expect(knownMembers("chat", [FunctionToolSchema])).toEqual(new Set(["function"]));
  });
});
