import { create, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { AnnotationSchema, Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateEventSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { OpenBlock } from "../../../src/formats/messages/answer/open-block.ts";
import { decodePageCitation, encodeCitation, withCitations } from "../../../src/formats/messages/citations.ts";

const PAGE = {
  type: "web_search_result_location",
  url: "https://example.com/rain",
  title: "Rain",
  cited_text: "It may rain.",
  encrypted_index: "Eo8B",
};
const DOCUMENT = { type: "char_location", cited_text: "rain", document_index: 0 };

describe("decodePageCitation()", () => {
  it.each([PAGE, { ...PAGE, title: null }])("gives back what encodeCitation() encodes: $title", (citation) => {
    const annotation = decodePageCitation(citation, 5);
    expect(annotation?.kind.value).toMatchObject({ url: PAGE.url, startIndex: 0, endIndex: 5 });
    expect(annotation && encodeCitation(annotation)).toEqual(citation);
  });

  it.each([DOCUMENT, { ...PAGE, url: 1 }, { ...PAGE, title: 1 }, { ...PAGE, type: "search_result_location" }])(
    "leaves %j as it is",
    (citation) => expect(decodePageCitation(citation, 5)).toBeUndefined(),
  );
});

describe("encodeCitation()", () => {
  it.each<JsonValue>([
    { urlCitation: { url: PAGE.url, title: "Rain" } },
    { urlCitation: { url: PAGE.url, extension: { dialect: "DIALECT_CHAT", json: '{"encrypted_index":"Eo8B"}' } } },
    { urlCitation: { url: PAGE.url, extension: { dialect: "DIALECT_MESSAGES", json: '{"cited_text":"x"}' } } },
    { opaque: { dialect: "DIALECT_RESPONSES", json: '{"type":"file_path"}' } },
    {},
  ])("has no form for %j", (json) => {
    expect(encodeCitation(fromJson(AnnotationSchema, json))).toBeUndefined();
  });

  it("keeps an annotation of its own format", () => {
    const kind = { case: "opaque" as const, value: { dialect: Dialect.MESSAGES, json: JSON.stringify(DOCUMENT) } };
    const annotation = create(AnnotationSchema, { kind });
    expect(encodeCitation(annotation)).toEqual(DOCUMENT);
    expect(withCitations({ citations: [DOCUMENT], x: 1 }, { annotations: [annotation] })).toEqual({
      citations: [DOCUMENT, DOCUMENT],
      x: 1,
    });
  });
});

describe("OpenBlock, of a text for callers of another format", () => {
  const begin = () => new OpenBlock({ type: "text", text: "" }, { index: 0, isNative: false });
  const cite = (citation: object) => ({ type: "citations_delta", citation });
  const told = (events: ReturnType<OpenBlock["end"]>) =>
    events.map((event) => toJson(GenerateEventSchema, event) as { blockDelta?: object });

  it("tells citations of pages at its end, and those of documents when they come", () => {
    const block = begin();
    expect(block.grow(cite(PAGE))).toEqual([]);
    expect(told(block.grow(cite(DOCUMENT)))).toMatchObject([
      { blockDelta: { raw: { json: JSON.stringify({ citations: [DOCUMENT] }) } } },
    ]);
    block.grow({ type: "text_delta", text: "It rains." });
    expect(told(block.end())).toMatchObject([
      { blockDelta: { annotation: { urlCitation: { url: PAGE.url, startIndex: 0, endIndex: 9 } } } },
      { blockEnd: {} },
    ]);
  });

  it("holds a thousand of them", () => {
    const block = begin();
    block.grow({ type: "text_delta", text: "It" });
    const events = Array.from({ length: 1002 }, () => block.grow(cite(PAGE))).flat();
    expect(told(events)).toMatchObject(
      [1, 2].map(() => ({ blockDelta: { annotation: { urlCitation: { endIndex: 2 } } } })),
    );
    expect(block.end()).toHaveLength(1001);
  });
});
