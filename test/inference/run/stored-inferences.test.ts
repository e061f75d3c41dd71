import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { createStoredInferences, type StoredInferencesPorts } from "../../../src/inference/run/stored-inferences.ts";
import { newId } from "../../../src/lib/ids.ts";
import { stubArchive } from "../../support/stub-upstream.ts";

const caller = { principal: { keyId: "k", projectId: "p" }, signal: new AbortController().signal };
const id = newId();
const stored = {
  id,
  input: createHubInput({ model: "attune/m" }),
  output: create(GenerateResponseSchema, { id }),
};
const away = () => new InferenceError(ErrorReason.UNAVAILABLE, "the database is away");

function setUp(ports: Partial<StoredInferencesPorts>) {
  const background = { live: () => undefined, find: async () => undefined, requestCancel: async () => {} };
  return createStoredInferences({ archive: stubArchive(stored), background, ...ports });
}

describe("createStoredInferences()", () => {
  it("reads what is in the queue while the database is away", async () => {
    const background = { live: () => undefined, find: () => Promise.reject(away()), requestCancel: async () => {} };
    expect(await setUp({ background }).read(id, false, caller)).toEqual([stored]);
  });

  it("says of an inference that was not made in the background that it cannot be cancelled", async () => {
    await expect(setUp({}).cancel(id, caller)).rejects.toMatchObject({ reason: ErrorReason.INVALID_REQUEST });
  });

  it("does not delete what is still being made", async () => {
    const made = { ...stored, status: "in_progress" as const };
    const background = { live: () => undefined, find: async () => made, requestCancel: async () => {} };
    await expect(setUp({ background }).delete(id, caller)).rejects.toMatchObject({
      reason: ErrorReason.INVALID_REQUEST,
      message: expect.stringContaining("still being made"),
    });
  });
});
