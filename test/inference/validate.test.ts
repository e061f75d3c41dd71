import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../src/inference/error.ts";
import { createInputValidator } from "../../src/inference/validate.ts";

const validate = createInputValidator();
const good = { model: "attune/m", messages: [{ role: Role.USER }] };
const input = (init: MessageInitShape<typeof InferenceInputSchema>) => create(InferenceInputSchema, init);

describe("createInputValidator()", () => {
  it("accepts what keeps the rules", () => {
    expect(() => validate(input({ ...good, temperature: 2, maxOutputTokens: 0 }))).not.toThrow();
  });

  it.each([
    ["model", { ...good, model: "" }],
    ["messages", { ...good, messages: [] }],
    ["temperature", { ...good, temperature: 2.1 }],
    ["temperature", { ...good, temperature: Number.NaN }],
    ["top_p", { ...good, topP: -0.1 }],
    ["max_output_tokens", { ...good, maxOutputTokens: -1 }],
    ["workload", { ...good, workload: "w".repeat(257) }],
    ["dialect", { ...good, dialect: 99 as never }],
  ])("names the field %s", (param, init) => {
    expect(() => validate(input(init))).toThrow(
      expect.objectContaining({ reason: ErrorReason.INVALID_REQUEST, facts: expect.objectContaining({ param }) }),
    );
  });
});
