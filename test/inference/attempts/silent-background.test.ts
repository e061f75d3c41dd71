import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { InferenceArchive, StoredInference } from "../../../src/inference/ports.ts";
import { createStoredInferences } from "../../../src/inference/run/stored-inferences.ts";
import { newId } from "../../../src/lib/ids.ts";

const ID = newId();
const caller = { principal: { keyId: "k", projectId: "p" }, signal: new AbortController().signal };
const stored: StoredInference = {
  id: ID,
  input: createHubInput(),
  output: create(GenerateResponseSchema, { id: ID }),
};

/** Inferences whose background answers never, and whose archive has these. */
function withSilentBackground(chain: readonly StoredInference[]) {
  const archive: InferenceArchive = { readChain: async () => chain, delete: async () => chain.length > 0 };
  const background = {
    find: () => new Promise<undefined>(() => {}),
    live: () => undefined,
    requestCancel: async () => {},
  };
  return createStoredInferences({ archive, background });
}

describe("createStoredInferences(), while the database does not say what is made in the background", () => {
  it("reads what the archive has after two seconds", async () => {
    expect(await withSilentBackground([stored]).read(ID, false, caller)).toEqual([stored]);
  });

  it("does not say that there is none of an id that the archive does not have", async () => {
    const reading = withSilentBackground([]).read(ID, false, caller);
    await expect(reading).rejects.toMatchObject({
      reason: ErrorReason.UNAVAILABLE,
      facts: { retryAfterMs: 1000 },
    });
  });
});
