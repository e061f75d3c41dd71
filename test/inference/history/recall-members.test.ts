import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlockSchema, Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { openInput, type TargetDeployment } from "../../../src/inference/history/open-input.ts";
import { findMarkedCalls, recallMembers, recallsMembers } from "../../../src/inference/history/recall-members.ts";
import { markRecord } from "../../../src/inference/history/tool-ids.ts";
import { newId } from "../../../src/lib/ids.ts";
import { stubArchive, stubPlace, stubUpstream } from "../../support/stub-upstream.ts";
import { signerOf } from "../../support/test-signer.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const signer = signerOf("p");
const projectId = "p";
const ID = newId();
const MARKED = markRecord(signer, "call_1", ID);
const SIGNED = { dialect: Dialect.CHAT, json: '{"extra_content":{"google":{"thought_signature":"s"}}}' };
const call = (id: string, extension?: Block["extension"]): Block => ({
  kind: { case: "toolUse", value: { id, name: "f", arguments: "{}" } },
  ...(extension && { extension }),
});
const input = createHubInput({
  dialect: Dialect.MESSAGES,
  messages: [{ role: Role.ASSISTANT, content: [call("call_0"), call(MARKED)] }],
});
const answer = create(GenerateResponseSchema, { content: [call(MARKED, SIGNED)], serving: { upstream: "up" } });
const archive = { readAnswers: async () => new Map([[ID, answer]]) };

function placeOf(name: string, dialect: Dialect): TargetDeployment {
  const place = stubPlace(stubUpstream(name, []));
  return { ...place, upstream: { ...place.upstream, dialect } };
}

/** The calls as a place gets them. */
async function callsAt(place: TargetDeployment) {
  const members = await recallMembers(findMarkedCalls(input.messages, signer), { projectId, archive });
  const [message] = openInput({ input, signer, members }, place).input.messages;
  return message?.content.map(({ kind, extension }) => [kind.case === "toolUse" && kind.value.id, extension?.json]);
}

describe("recalled members of calls", () => {
  it("go back to the upstream that gave them, beside the id that it gave", async () => {
    expect(findMarkedCalls(input.messages, signer)).toEqual([ID]);
    expect(await callsAt(placeOf("up", Dialect.CHAT))).toEqual([
      ["call_0", undefined],
      ["call_1", SIGNED.json],
    ]);
  });

  it.each([
    ["another upstream", "other", Dialect.CHAT],
    ["another format", "up", Dialect.MESSAGES],
  ])("do not go to %s", async (_what, name, dialect) => {
    expect(await callsAt(placeOf(name, dialect))).toEqual([
      ["call_0", undefined],
      ["call_1", undefined],
    ]);
  });

  it("are none where no record can be had", async () => {
    const away = { readAnswers: () => Promise.reject(new Error("away")) };
    expect(await recallMembers([ID], { projectId, archive: away })).toEqual(new Map());
    expect(await recallMembers([ID], { projectId, archive: {} })).toEqual(new Map());
  });
});

describe("recallsMembers()", () => {
  it.each([
    [Dialect.MESSAGES, true],
    [Dialect.RESPONSES, true],
    [Dialect.CHAT, false],
    [Dialect.UNSPECIFIED, false],
  ])("is for callers without a place for them: %s", (dialect, expected) => {
    const kept = { ...stubArchive(), ...archive };
    expect(recallsMembers({ dialect }, projectId, kept)).toBe(expected);
    expect(recallsMembers({ dialect }, projectId, { ...kept, keeps: () => false })).toBe(false);
    expect(recallsMembers({ dialect }, projectId, {})).toBe(false);
  });
});
