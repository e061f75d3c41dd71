import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CallFactsSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { factsWithSession } from "../../../src/inference/run/plan-inference.ts";

const FIRST = "019f0000-0000-7000-8000-000000000001";
const facts = (sessionId: string, sessionSource: string) =>
  create(CallFactsSchema, { sessionId, sessionSource, endUserId: "jane" });

describe("factsWithSession()", () => {
  it("leaves a request alone that continues nothing", () => {
    expect(factsWithSession({}, {})).toBeUndefined();
    const given = facts("k", "prompt_cache_key");
    expect(factsWithSession({ facts: given }, {})).toBe(given);
  });

  it("takes the conversation where nothing better is known", () => {
    const session = { sessionId: FIRST, sessionSource: "conversation" };
    expect(factsWithSession({}, { firstId: FIRST })).toMatchObject(session);
    expect(factsWithSession({ conversationId: FIRST.toUpperCase() }, {})).toMatchObject(session);
    const keyed = factsWithSession({ facts: facts("k", "prompt_cache_key") }, { firstId: FIRST });
    expect(keyed).toMatchObject({ ...session, endUserId: "jane" });
    expect(factsWithSession({ facts: facts("", "") }, { firstId: FIRST })).toMatchObject(session);
  });

  it("leaves the session that the caller or its agent named", () => {
    const given = facts("s1", "x-session-id");
    expect(factsWithSession({ facts: given }, { firstId: FIRST })).toBe(given);
  });
});
