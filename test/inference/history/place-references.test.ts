import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  type ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { type GenerateResponse, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { ItemIndex } from "../../../src/inference/history/item-index.ts";
import { placeReferences, readReferredItems } from "../../../src/inference/history/place-references.ts";

const MADE = "019ab7a7-a270-7293-8c4a-b2f31092e3f0";
const OWN = `msg_${MADE.replaceAll("-", "")}_1`;

const item = (json: object): Message =>
  create(MessageSchema, {
    content: [{ kind: { case: "opaque", value: { dialect: Dialect.RESPONSES, json: JSON.stringify(json) } } }],
  });
const reference = (id: string) => item({ type: "item_reference", id });
type BlockInit = MessageInitShape<typeof ContentBlockSchema>;
const text = (value: string, itemId = ""): BlockInit => ({ itemId, kind: { case: "text", value: { text: value } } });
const thinking: BlockInit = { itemId: "rs_1", kind: { case: "thinking", value: { summary: ["Hm."] } } };
const search: BlockInit = {
  kind: { case: "opaque", value: { dialect: Dialect.RESPONSES, json: '{"type":"web_search_call","id":"ws_1"}' } },
};
const answer = create(GenerateResponseSchema, { content: [thinking, text("Sunny.", "msg_1"), search] });
const archive = {
  readAnswers: (ids: readonly string[], projectId: string): Promise<ReadonlyMap<string, GenerateResponse>> =>
    Promise.resolve(new Map(projectId === "p" && ids.includes(MADE) ? [[MADE, answer]] : [])),
};

/** Returns the conversation as an upstream gets it. */
async function placed(messages: Message[], { upstream = "b", projectId = "p", isStored = true } = {}) {
  const items = new ItemIndex();
  items.add("p", answer.content, { inferenceId: MADE, upstream: "a", isStored });
  const referred = await readReferredItems(messages, { projectId, archive, items });
  return placeReferences(messages, referred, upstream);
}

describe("placeReferences()", () => {
  it("puts the items in the place of references for an upstream that did not make them", async () => {
    const [first, second, third] = await placed([reference("rs_1"), item({ id: "msg_1" }), reference("ws_1")]);
    expect(first).toMatchObject({ id: "", content: [{ kind: { case: "thinking", value: { summary: ["Hm."] } } }] });
    expect(second).toMatchObject({ id: "", content: [{ kind: { value: { text: "Sunny." } } }] });
    expect(third?.content[0]).toEqual(answer.content[2]);
  });

  it("leaves them to the upstream that made them, if it was to store them", async () => {
    const messages = [reference("msg_1")];
    expect(await placed(messages, { upstream: "a" })).toEqual(messages);
    const [unstored] = await placed(messages, { upstream: "a", isStored: false });
    expect(unstored).toMatchObject({ content: [{ kind: { value: { text: "Sunny." } } }] });
  });

  it("finds items that were named here by their position", async () => {
    const [only] = await placed([reference(OWN)], { upstream: "a" });
    expect(only).toMatchObject({ content: [{ kind: { value: { text: "Sunny." } } }] });
  });

  it("leaves what it does not know, and what is another project's, as it is", async () => {
    const messages = [reference("msg_other"), item({ type: "message_like", id: "msg_1" })];
    expect(await placed(messages)).toEqual(messages);
    expect(await placed([reference("msg_1")], { projectId: "q" })).toEqual([reference("msg_1")]);
  });

  it("refuses references to items of answers that are not there", async () => {
    await expect(placed([reference(OWN)], { projectId: "q" })).rejects.toMatchObject({
      reason: ErrorReason.NOT_FOUND,
      facts: { param: "messages[0].id" },
    });
  });
});

describe("ItemIndex", () => {
  it("knows nothing of names that several answers have", () => {
    const items = new ItemIndex();
    const facts = { inferenceId: MADE, upstream: "a", isStored: true };
    items.add("p", answer.content, facts);
    items.add("p", answer.content, facts);
    expect(items.find("p", "msg_1")).toEqual(facts);
    items.add("p", answer.content, { ...facts, inferenceId: "other" });
    expect(items.find("p", "msg_1")).toBeUndefined();
  });

  it("forgets the oldest items first", () => {
    const items = new ItemIndex();
    const facts = { inferenceId: MADE, upstream: "a", isStored: true };
    const { content } = create(GenerateResponseSchema, {
      content: Array.from({ length: 65_537 }, (_none, at) => text("", `msg_${at}`)),
    });
    items.add("p", content, facts);
    expect([items.find("p", "msg_0"), items.find("p", "msg_1"), items.find("q", "msg_1")]).toEqual([
      undefined,
      facts,
      undefined,
    ]);
  });
});
