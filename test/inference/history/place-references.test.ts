import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  type ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
  Role,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { type GenerateResponse, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { digestLastInput } from "../../../src/hub/item-references.ts";
import { ItemIndex } from "../../../src/inference/history/item-index.ts";
import { placeReferences, readReferredItems } from "../../../src/inference/history/place-references.ts";
import type { IndexedItem } from "../../../src/inference/ports.ts";

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
  items.add("p", answer.content, { inferenceId: MADE, upstream: "a", isStored, asked: "" });
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

  it("takes null for the type of a reference that leaves it out", async () => {
    const [only] = await placed([item({ type: null, id: "msg_1" })]);
    expect(only).toMatchObject({ content: [{ kind: { value: { text: "Sunny." } } }] });
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

  it("finds the answer to what was said last where several have an item of a name", async () => {
    const said = (words: string) => create(MessageSchema, { role: Role.USER, content: [text(words)] });
    const items = new ItemIndex();
    const saying = (words: string) => create(GenerateResponseSchema, { content: [text(words, "msg_0")] });
    const answers = new Map([
      ["one", saying("1")],
      ["two", saying("2")],
      ["again", saying("2")],
      ["other", saying("3")],
    ]);
    for (const [inferenceId, asked] of [
      ["one", "a"],
      ["two", "b"],
      ["again", "b"],
    ] as const) {
      const facts = { inferenceId, upstream: "a", isStored: true, asked: digestLastInput([said(asked)]) };
      items.add("p", answers.get(inferenceId)?.content ?? [], facts);
    }
    const records = { readAnswers: async () => answers };
    const wordsAfter = async (words: string) => {
      const messages = [said(words), reference("rs_unknown"), reference("msg_0")];
      const referred = await readReferredItems(messages, { projectId: "p", archive: records, items });
      const kind = placeReferences(messages, referred, "b")[2]?.content[0]?.kind;
      return kind?.case === "text" ? kind.value.text : undefined;
    };
    expect([await wordsAfter("a"), await wordsAfter("b"), await wordsAfter("c")]).toEqual(["1", "2", undefined]);
    const facts = { inferenceId: "other", upstream: "a", isStored: true, asked: digestLastInput([said("b")]) };
    items.add("p", answers.get("other")?.content ?? [], facts);
    expect([await wordsAfter("a"), await wordsAfter("b")]).toEqual(["1", undefined]);
  });

  it("looks into the records for items that another process has got, and asks them for no others", async () => {
    const asked: (readonly string[])[] = [];
    const said = (words: string) => create(MessageSchema, { role: Role.USER, content: [text(words)] });
    const long = `msg_${"0".repeat(40)}`;
    const records = {
      readAnswers: async () =>
        new Map([[MADE, create(GenerateResponseSchema, { content: [text("Sunny.", long), text("Rain.", "msg_0")] })]]),
      async findItems(ids: readonly string[]): Promise<ReadonlyMap<string, readonly IndexedItem[]>> {
        asked.push(ids);
        const item = { inferenceId: MADE, upstream: "a", isStored: true, asked: digestLastInput([said("Weather?")]) };
        return new Map(ids.map((id) => [id, [item]]));
      },
    };
    const items = new ItemIndex();
    items.add("p", answer.content, { inferenceId: MADE, upstream: "a", isStored: true, asked: "" });
    const textsAfter = async (words: string, upstream: string) => {
      const messages = [said(words), reference(long), reference("msg_0"), reference("rs_1"), reference(OWN)];
      const referred = await readReferredItems(messages, { projectId: "p", archive: records, items });
      return placeReferences(messages, referred, upstream).flatMap(({ content: [block] }) =>
        block?.kind.case === "text" ? [block.kind.value.text] : [],
      );
    };
    expect(await textsAfter("Weather?", "b")).toEqual(["Weather?", "Sunny.", "Rain.", "Rain."]);
    // A name that a server gives again and again is not one of another conversation.
    expect(await textsAfter("Other?", "b")).toEqual(["Other?", "Sunny.", "Rain."]);
    // The upstream that has stored them is asked as it was.
    expect(await textsAfter("Weather?", "a")).toEqual(["Weather?", "Rain."]);
    expect(asked).toEqual([
      [long, "msg_0"],
      [long, "msg_0"],
      [long, "msg_0"],
    ]);
  });

  it("refuses references to items of answers that are not there", async () => {
    await expect(placed([reference(OWN)], { projectId: "q" })).rejects.toMatchObject({
      reason: ErrorReason.NOT_FOUND,
      facts: { param: "messages[0].id" },
    });
  });
});

describe("ItemIndex", () => {
  it("knows the latest answers that have an item of a name, the latest first", () => {
    const items = new ItemIndex();
    const facts = { inferenceId: MADE, upstream: "a", isStored: true, asked: "" };
    items.add("p", answer.content, facts);
    items.add("p", answer.content, facts);
    expect(items.find("p", "msg_1")).toEqual([facts]);
    for (let at = 0; at < 9; at++) items.add("p", answer.content, { ...facts, inferenceId: `${at}` });
    expect(items.find("p", "msg_1").map(({ inferenceId }) => inferenceId)).toEqual([..."87654321"]);
  });

  it("forgets the oldest items first", () => {
    const items = new ItemIndex();
    const facts = { inferenceId: MADE, upstream: "a", isStored: true, asked: "" };
    const { content } = create(GenerateResponseSchema, {
      content: Array.from({ length: 65_537 }, (_none, at) => text("", `msg_${at}`)),
    });
    items.add("p", content, facts);
    expect([items.find("p", "msg_0"), items.find("p", "msg_1"), items.find("q", "msg_1")]).toEqual([[], [facts], []]);
  });
});
