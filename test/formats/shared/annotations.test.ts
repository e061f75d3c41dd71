import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { type AnnotationForm, decodeAnnotations, encodeAnnotations } from "../../../src/formats/shared/annotations.ts";

const CHAT: AnnotationForm = { dialect: Dialect.CHAT, isNested: true };
const RESPONSES: AnnotationForm = { dialect: Dialect.RESPONSES, isNested: false };
const page = { start_index: 1, end_index: 2, url: "https://example.com", title: "Rain" };
const nested = { type: "url_citation", url_citation: page };
const flat = { type: "url_citation", ...page };

describe("annotations", () => {
  it.each([
    ["Chat to Responses", nested, CHAT, RESPONSES, flat],
    ["Responses to Chat", flat, RESPONSES, CHAT, nested],
    ["Chat to itself", { ...nested, x: 1, url_citation: { ...page, y: 2 } }, CHAT, CHAT, undefined],
    ["Responses to itself", { ...flat, x: 1 }, RESPONSES, RESPONSES, undefined],
  ])("go from %s", (_, value, from, to, expected = value) => {
    expect(encodeAnnotations(decodeAnnotations([value], from), to)).toEqual([expected]);
  });

  it("of other types, or of another form, stay in their own format", () => {
    const others = [
      { type: "file_citation", file_id: "f" },
      { type: "url_citation", url: 5 },
      { ...flat, start_index: -1 },
    ];
    const decoded = decodeAnnotations(others, RESPONSES);
    expect(encodeAnnotations(decoded, RESPONSES)).toEqual(others);
    expect(encodeAnnotations(decoded, CHAT)).toEqual([]);
  });

  it.each([undefined, null, [], ["a"], {}])("are none in %j", (value) => {
    expect(decodeAnnotations(value, CHAT)).toBeUndefined();
  });
});
