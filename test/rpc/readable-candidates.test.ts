import { create, toJsonString } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import { CandidateAnswerSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { readableCandidates } from "../../src/rpc/readable-candidates.ts";

const raw = { dialect: Dialect.RESPONSES, json: '{"encrypted":"SECRET"}' };

describe("readableCandidates()", () => {
  it("gives what can be read, and nothing that only its maker can", () => {
    const answer = create(CandidateAnswerSchema, {
      attempt: 2,
      content: [
        { kind: { case: "thinking", value: { text: "Hm.", summary: ["short"], opaque: "SECRET", id: "rs_SECRET" } } },
        { kind: { case: "thinking", value: { opaque: "SECRET" } } },
        { kind: { case: "redactedThinking", value: { data: "SECRET" } } },
        { kind: { case: "opaque", value: raw } },
        { kind: { case: "text", value: { text: "Yes." } }, extension: raw, itemId: "msg_SECRET", itemExtension: raw },
        { kind: { case: "toolUse", value: { id: "call_1", name: "look", arguments: "{}" } } },
        { kind: { case: "refusal", value: { text: "No." } } },
      ],
    });
    const [given] = readableCandidates([answer]);
    expect(given?.attempt).toBe(2);
    expect(given?.content.map(({ kind }) => [kind.case, kind.value])).toMatchObject([
      ["thinking", { text: "Hm.", summary: ["short"], id: "" }],
      ["text", { text: "Yes." }],
      ["toolUse", { id: "call_1", name: "look", arguments: "{}" }],
      ["refusal", { text: "No." }],
    ]);
    expect(toJsonString(CandidateAnswerSchema, given ?? answer)).not.toContain("SECRET");
    // What is kept is not changed.
    expect(answer.content).toHaveLength(7);
  });

  it("says of what was too long that it is not here", () => {
    const long = create(CandidateAnswerSchema, { attempt: 1, leftOut: true });
    expect(readableCandidates([long])).toMatchObject([{ attempt: 1, leftOut: true, content: [] }]);
  });
});
