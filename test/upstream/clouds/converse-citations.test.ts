import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../../support/scripted-upstream.ts";
import { callConverse, frame, HELLO, type Input, said, stream, USAGE, whole } from "./call-converse.ts";

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
  scripted.answer(whole([{ text: "Hello" }]));
});

afterEach(() => scripted.close());

const PDF = Buffer.from("%PDF-1.4");
const cited = { dialect: Dialect.MESSAGES, json: '{"citations":{"enabled":true}}' };
const pdf = {
  title: "a.pdf",
  context: "A draft",
  source: { case: "inline", value: { mediaType: "application/pdf", data: PDF } },
};
const text = { title: "b", source: { case: "text", value: "Hello" } };
const parts = { title: "c", source: { case: "content", value: { blocks: said(Role.USER, "One", "Two").content } } };

type Blocks = NonNullable<NonNullable<Input>["messages"]>[number]["content"];
const documents = (extension: object | undefined, ...values: object[]) =>
  values.map((value) => ({ kind: { case: "document", value }, ...(extension && { extension }) })) as unknown as Blocks;
const ask = (content: Blocks) => ({ ...HELLO, messages: [{ role: Role.USER, content }] }) satisfies Input;
const call = (input: Input, citations = true) =>
  callConverse(scripted, input, { dialect: Dialect.MESSAGES, settings: { citations } });
describe("citations of documents by Converse", () => {
  it("are asked for where models cite, of texts as text and of parts as parts", async () => {
    const { sent, losses } = await call(ask(documents(cited, pdf, text, parts)));
    const citations = { enabled: true };
    expect(sent.messages[0].content.map(({ document }: { document: object }) => document)).toEqual([
      {
        format: "pdf",
        name: "a pdf 1",
        source: { bytes: PDF.toString("base64") },
        context: "A draft",
        citations,
      },
      { format: "txt", name: "b 2", source: { text: "Hello" }, citations },
      { name: "c 3", source: { content: [{ text: "One" }, { text: "Two" }] }, citations },
    ]);
    expect(losses).toEqual(["messages[0].content[0].title"]);
  });

  it("are losses where nobody says so", async () => {
    const { sent, losses } = await call(ask(documents(cited, pdf, parts)), false);
    expect(JSON.stringify(sent)).not.toMatch(/citations|A draft/);
    expect(losses.toSorted()).toEqual([
      ...["messages[0].content[0].context", "messages[0].content[0].extension.citations"],
      ...["messages[0].content[0].title", "messages[0].content[1].extension.citations"],
      "messages[0].content[1].title",
    ]);
  });

  it("are losses in results of tools, which Bedrock refuses, and of formats that it does not cite", async () => {
    const csv = { source: { case: "inline", value: { mediaType: "text/csv", data: Buffer.from("a,b") } } };
    const { sent, losses } = await call({
      ...HELLO,
      messages: [
        { role: Role.USER, content: documents(cited, csv) },
        {
          role: Role.ASSISTANT,
          content: [{ kind: { case: "toolUse", value: { id: "t1", name: "get", arguments: "{}" } } }],
        },
        {
          role: Role.TOOL,
          content: [{ kind: { case: "toolResult", value: { toolUseId: "t1", content: documents(cited, text) } } }],
        },
      ],
    });
    expect(JSON.stringify(sent)).not.toContain("citations");
    expect(losses).toEqual(
      expect.arrayContaining([
        "messages[0].content[0].extension.citations",
        "messages[2].content[0].content[0].extension.citations",
      ]),
    );
  });

  it("are losses of results of the caller's search, whose texts are told", async () => {
    const found = { dialect: Dialect.MESSAGES, json: '{"source":"https://a.example","citations":{"enabled":true}}' };
    const { sent, losses } = await call(ask(documents(found, parts)));
    expect(sent.messages[0].content).toEqual([{ text: "One" }, { text: "Two" }]);
    expect(losses.toSorted()).toEqual(
      ["extension.citations", "extension.source", "title"].map((member) => `messages[0].content[0].${member}`),
    );
  });

  it("are nothing to lose where there are to be none", async () => {
    const none = { dialect: Dialect.MESSAGES, json: '{"citations":{"enabled":false}}' };
    expect((await call(ask(documents(none, text)), false)).losses).toEqual([]);
    expect((await call(ask(documents(none, parts)))).losses).toEqual(["messages[0].content[0].title"]);
  });

  it.each([
    ["documentChar", { type: "char_location", start_char_index: 1, end_char_index: 2 }],
    ["documentPage", { type: "page_location", start_page_number: 1, end_page_number: 2 }],
    ["documentChunk", { type: "content_block_location", start_block_index: 1, end_block_index: 2 }],
  ])("come as those of Messages by %s, in a stream as whole", async (place, numbers) => {
    const citation = {
      title: "b 1",
      sourceContent: [{ text: "Hel" }, { text: "lo" }],
      location: { [place]: { documentIndex: 0, start: 1, end: 2 } },
    };
    scripted.answer(whole([{ citationsContent: { content: [{ text: "Hello" }], citations: [citation] } }]));
    const unary = await callConverse(scripted, HELLO, { dialect: Dialect.MESSAGES });
    const grow = (delta: object) => frame("contentBlockDelta", { contentBlockIndex: 0, delta });
    scripted.answer(
      stream(
        frame("messageStart", { role: "assistant" }),
        ...[grow({ text: "Hello" }), grow({ citation }), frame("contentBlockStop", { contentBlockIndex: 0 })],
        ...[frame("messageStop", { stopReason: "end_turn" }), frame("metadata", { usage: USAGE })],
      ),
    );
    const streamed = await callConverse(scripted, HELLO, { dialect: Dialect.MESSAGES, streamed: true });
    const about = { document_index: 0, document_title: "b 1", file_id: null };
    for (const { text: answer, lostOfAnswer, content } of [unary, streamed]) {
      expect([answer, lostOfAnswer]).toEqual(["Hello", []]);
      expect(JSON.parse(content[0]?.extension?.json ?? "")).toEqual({
        citations: [{ cited_text: "Hello", ...about, ...numbers }],
      });
      expect(content[0]?.extension?.dialect).toBe(Dialect.MESSAGES);
    }
  });
});
