import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlockSchema, Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { prepareAtPlaces } from "../../../src/inference/history/history-places.ts";
import { openInput } from "../../../src/inference/history/open-input.ts";
import { recallsThinking, recallThinking } from "../../../src/inference/history/recall-thinking.ts";
import { seal } from "../../../src/inference/history/seal.ts";
import { markRecord } from "../../../src/inference/history/tool-ids.ts";
import type { InferenceArchive } from "../../../src/inference/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { stubArchive, stubPlace, stubUpstream } from "../../support/stub-upstream.ts";
import { signerOf } from "../../support/test-signer.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const signer = signerOf("p");
const projectId = "p";
const place = stubPlace(stubUpstream("up", []));
const maker = { upstream: "up", model: "real-m" };
const text = (said: string): Block => ({ kind: { case: "text", value: { text: said } } });
const call = (id: string): Block => ({ kind: { case: "toolUse", value: { id, name: "f", arguments: "{}" } } });
const result = (toolUseId: string): Block => ({ kind: { case: "toolResult", value: { toolUseId } } });
const thinking = (opaque: string): Block => ({ kind: { case: "thinking", value: { text: "hm", opaque } } });
const user = { role: Role.USER, content: [text("go")] };

/** A step of a loop, as a Chat caller sends it back. */
const step = (id: string, ...before: Block[]) => [
  { role: Role.ASSISTANT, content: [...before, call(id)] },
  { role: Role.TOOL, content: [result(id)] },
];

/** An archive of answers, and what was asked of it. */
function archiveOf(answers: Readonly<Record<string, readonly Block[]>>) {
  const asked: (readonly string[])[] = [];
  const archive: InferenceArchive = {
    ...stubArchive(),
    async readAnswers(ids) {
      asked.push(ids);
      const found = ids.filter((id) => answers[id] !== undefined);
      return new Map(found.map((id) => [id, create(GenerateResponseSchema, { content: [...(answers[id] ?? [])] })]));
    },
  };
  return { archive, asked };
}

const marked = (inferenceId: string): string => markRecord(signer, "call_1", inferenceId);

describe("recallThinking()", () => {
  it("reads the reasoning of all answers of the present turn at once", async () => {
    const [past, first, second] = [newId(), newId(), newId()];
    const { archive, asked } = archiveOf({
      [first]: [thinking("a"), text("so"), call("x")],
      [second]: [{ kind: { case: "redactedThinking", value: { data: "b" } } }, call("y")],
    });
    const input = createHubInput({
      messages: [user, ...step(marked(past)), user, ...step(marked(first), text("so")), ...step(marked(second))],
    });
    const recalled = await recallThinking(input, { signer, projectId, archive });
    expect(asked).toEqual([[first, second]]);
    expect([...(recalled ?? [])].map(([index, blocks]) => [index, blocks.map(({ kind }) => kind.case)])).toEqual([
      [4, ["thinking"]],
      [6, ["redactedThinking"]],
    ]);
  });

  it.each([
    ["without marks", () => [user, ...step("call_1")]],
    ["of another project", () => [user, ...step(markRecord(signerOf("q"), "call_1", newId()))]],
    ["that bring their reasoning", () => [user, ...step(marked(newId()), thinking("own"))]],
    ["of turns before", () => [user, ...step(marked(newId())), user]],
  ])("reads nothing for calls %s", async (_name, messages) => {
    const { archive, asked } = archiveOf({});
    const input = createHubInput({ messages: messages() });
    expect(await recallThinking(input, { signer, projectId, archive })).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("reads a bounded number of answers: the first and the latest", async () => {
    const ids = Array.from({ length: 200 }, newId);
    const { archive, asked } = archiveOf({});
    const input = createHubInput({ messages: [user, ...ids.flatMap((id) => step(marked(id)))] });
    await recallThinking(input, { signer, projectId, archive });
    expect(asked).toEqual([[ids[0], ...ids.slice(-63)]]);
  });

  it("goes on without where the record cannot be reached", async () => {
    const readAnswers = () => Promise.reject(new Error("away"));
    const input = createHubInput({ messages: [user, ...step(marked(newId()))] });
    const archive = { ...stubArchive(), readAnswers };
    expect(await recallThinking(input, { signer, projectId, archive })).toBeUndefined();
  });
});

describe("recallsThinking()", () => {
  it("is for Chat callers of projects that keep their texts", () => {
    const { archive } = archiveOf({});
    expect(recallsThinking({ dialect: Dialect.CHAT }, projectId, archive)).toBe(true);
    expect(recallsThinking({ dialect: Dialect.MESSAGES }, projectId, archive)).toBe(false);
    expect(recallsThinking({ dialect: Dialect.CHAT }, projectId, { ...archive, keeps: () => false })).toBe(false);
    expect(recallsThinking({ dialect: Dialect.CHAT }, projectId, stubArchive())).toBe(false);
  });
});

describe("openInput() of recalled reasoning", () => {
  const input = createHubInput({ dialect: Dialect.CHAT, messages: [user, ...step(marked(newId()))] });
  const recalledAs = (opaque: string) => {
    const blocks = createHubInput({ messages: [{ content: [thinking(opaque)] }] }).messages[0]?.content ?? [];
    return { input, signer, historyLength: 0, previousId: undefined, recalled: new Map([[1, blocks]]) };
  };

  it("inserts what the place made before the call, and counts places without it", () => {
    const prompt = recalledAs(seal(signer, maker, "sig"));
    const opened = openInput(prompt, place);
    expect(opened.input.messages.map(({ content }) => content[0]?.kind)).toMatchObject([
      { case: "text" },
      { case: "thinking", value: { opaque: "sig" } },
      { case: "toolUse", value: { id: "call_1" } },
      { case: "toolResult", value: { toolUseId: "call_1" } },
    ]);
    const losses = ["messages[0]", "messages[1].content[0].text", "messages[2].content[0]", "top_k"];
    expect(prepareAtPlaces(prompt, place, () => ({ losses })).losses).toEqual([
      "messages[0]",
      "messages[1].content[0]",
      "top_k",
    ]);
  });

  it("takes what the caller sent of it for no loss", () => {
    const asked = recalledAs(seal(signer, maker, "sig"));
    const said: Block = { kind: { case: "thinking", value: { text: "hm" } } };
    const repeating = createHubInput({ dialect: Dialect.CHAT, messages: [user, ...step(marked(newId()), said)] });
    const losses = ["messages[2].content[0]", "messages[2].content[1]"];
    const prepared = prepareAtPlaces({ ...asked, input: repeating }, place, () => ({ losses }));
    expect(prepared.losses).toEqual(["messages[1].content[1]"]);
  });

  it.each([
    ["another place made", seal(signer, { upstream: "other", model: "m" }, "sig")],
    ["nobody here sealed", "sig"],
  ])("leaves out what %s: the caller did not send it, and loses nothing", (_name, opaque) => {
    const opened = openInput(recalledAs(opaque), place);
    expect(opened.input.messages).toHaveLength(3);
    expect(opened.inserted).toBeUndefined();
  });
});
