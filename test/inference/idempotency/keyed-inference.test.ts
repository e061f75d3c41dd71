import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { EmbeddingOptionsSchema, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { createKeyedInference } from "../../../src/inference/idempotency/keyed-inference.ts";
import type { Caller, InferenceService } from "../../../src/inference/run/service.ts";

type Calls = Parameters<typeof createKeyedInference>[1];

const caller = {
  principal: { projectId: "p", keyId: "k" },
  idempotency: { key: "e1", bodyHash: "h" },
  signal: new AbortController().signal,
} as unknown as Caller;

/** Tells whether the answer to a call whose process died is made of what it recorded. */
async function isMadeOfRecord(input: ReturnType<typeof createHubInput>): Promise<boolean> {
  let fromRecord: unknown;
  const calls = {
    readOne(call: { readonly fromRecord?: unknown }) {
      ({ fromRecord } = call);
      return Promise.resolve(create(GenerateResponseSchema, { id: "i" }));
    },
  } as unknown as Calls;
  // The stub answers in place of the service, and nothing is read.
  const keyed = createKeyedInference({} as InferenceService, calls, { read: () => Promise.resolve([]) as never });
  await keyed.generate(input, caller);
  return fromRecord !== undefined;
}

describe("createKeyedInference()", () => {
  it("makes answers of records, which have neither vectors nor compactions as they are given", async () => {
    expect(await isMadeOfRecord(createHubInput({ model: "m" }))).toBe(true);
    expect(await isMadeOfRecord(createHubInput({ model: "m", compact: true }))).toBe(false);
    const embedding = create(EmbeddingOptionsSchema);
    expect(await isMadeOfRecord(createHubInput({ model: "m", embedding }))).toBe(false);
  });
});
