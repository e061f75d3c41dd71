import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { encodeRequest } from "../../../src/hub/request-bytes.ts";
import { compressBody } from "../../../src/lib/compress-body.ts";
import { decodeContent } from "../../../src/store/types/inference-body.ts";

function contentOf(text: string) {
  const block = { kind: { case: "text" as const, value: { text } } };
  return {
    input: createHubInput({
      model: "attune/m",
      messages: [{ role: Role.USER, content: [block] }],
      dialect: Dialect.RESPONSES,
      echo: { dialect: Dialect.RESPONSES, json: JSON.stringify({ instructions: text }) },
      background: true,
    }),
    output: create(GenerateResponseSchema, { id: "i", content: [block] }),
  };
}

async function encodeContent({ input, output }: ReturnType<typeof contentOf>) {
  return {
    request: await compressBody(encodeRequest(input)),
    response: await compressBody(toBinary(GenerateResponseSchema, output)),
  };
}

describe("compressBody()", () => {
  it("gives every content back, small, large, and too large for one thread", async () => {
    const lengths = fc.constantFrom(0, 1, 100, 900, 1100, 50_000, 70_000);
    await fc.assert(
      fc.asyncProperty(lengths, fc.string({ minLength: 1 }), async (length, seed) => {
        const content = contentOf(seed.repeat(Math.ceil(length / seed.length)));
        const { input, output } = await decodeContent(await encodeContent(content));
        expect({ input, output }).toEqual(content);
      }),
      { numRuns: 50 },
    );
  });

  it("compresses what is worth it, and stores the rest as it is", async () => {
    const small = await encodeContent(contentOf("Say hello"));
    expect(Buffer.from(small.request).includes("Say hello")).toBe(true);
    const large = await encodeContent(contentOf("Say hello ".repeat(1000)));
    expect(large.request.length).toBeLessThan(200);
  });
});
