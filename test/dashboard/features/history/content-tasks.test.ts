import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { rawJson } from "../../../../src/dashboard/features/history/content-tasks.ts";
import { createHubInput } from "../../../../src/hub/input.ts";

describe("rawJson()", () => {
  it("writes a request with how it came in", () => {
    const echo = { dialect: Dialect.RESPONSES, json: '{"temperature":1}' };
    const input = createHubInput({ model: "attune/m", temperature: 1, dialect: Dialect.RESPONSES, echo });
    const json = rawJson({ input, output: create(GenerateResponseSchema) }, "request");
    expect(JSON.parse(json)).toEqual({
      model: "attune/m",
      temperature: 1,
      dialect: "DIALECT_RESPONSES",
      echo: { dialect: "DIALECT_RESPONSES", json: '{"temperature":1}' },
    });
    expect(json).toContain('\n  "model"');
  });

  it("says nothing of that where a request came over RPC", () => {
    const content = {
      input: createHubInput({ model: "attune/m" }),
      output: create(GenerateResponseSchema, { id: "i" }),
    };
    expect(JSON.parse(rawJson(content, "request"))).toEqual({ model: "attune/m" });
    expect(JSON.parse(rawJson(content, "answer"))).toEqual({ id: "i" });
  });
});
