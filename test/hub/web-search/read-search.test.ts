import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, RawJsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { lateQueries, lostOfSearch, readSearchPart } from "../../../src/hub/web-search/read-search.ts";

const raw = (dialect: Dialect, value: unknown) => create(RawJsonSchema, { dialect, json: JSON.stringify(value) });
const call = (input: unknown, name = "web_search") =>
  raw(Dialect.MESSAGES, { type: "server_tool_use", id: "s", name, input });
const result = (content: unknown) =>
  raw(Dialect.MESSAGES, { type: "web_search_tool_result", tool_use_id: "s", content });
const item = (action: unknown, status = "completed") =>
  raw(Dialect.RESPONSES, { type: "web_search_call", id: "w", status, action });
const page = { type: "web_search_result", url: "https://a.example", title: "A", encrypted_content: "x" };

describe("readSearchPart()", () => {
  it.each([
    ["a call", call({ query: "a" }), { id: "s", queries: ["a"] }],
    ["a call of no words", call({ query: 1 }), { id: "s" }],
    ["a result", result([page, { url: 2 }, null]), { id: "s", pages: [{ url: "https://a.example" }] }],
    ["a result that is an error", result({ error_code: "unavailable" }), { id: "s", isFailed: true }],
    ["an item", item({ type: "search", query: "a" }), { id: "w", queries: ["a"], isFailed: false }],
    ["an item of several queries", item({ type: "search", query: "a", queries: ["a", "b"] }), { queries: ["a", "b"] }],
    ["an item that failed", item({ type: "search" }, "failed"), { id: "w", isFailed: true }],
    ["an item without an action", item(null), { id: "w" }],
  ])("reads %s", (_what, block, part) => expect(readSearchPart(block)).toMatchObject(part));

  it.each([
    ["a call of another tool", call({ query: "web_search" }, "web_fetch")],
    ["another item", raw(Dialect.RESPONSES, { type: "file_search_call", queries: ["web_search"] })],
    ["another format's JSON", raw(Dialect.CHAT, { type: "web_search_call" })],
    ["what is no object", raw(Dialect.RESPONSES, ["web_search_call"])],
  ])("reads no search in %s", (_what, block) => expect(readSearchPart(block)).toBeUndefined());
});

describe("lateQueries()", () => {
  it("reads the words that come with the end of a block", () => {
    expect(lateQueries(raw(Dialect.MESSAGES, { input: { query: "a" } }))).toEqual(["a"]);
    expect(lateQueries(raw(Dialect.RESPONSES, { input: { query: "a" } }))).toBeUndefined();
    expect(lateQueries(undefined)).toBeUndefined();
  });
});

describe("lostOfSearch()", () => {
  it.each([
    ["a call", call({ query: "a" }), []],
    ["pages", result([page]), ["web_search_tool_result.title", "web_search_tool_result.encrypted_content"]],
    ["an error", result({ error_code: "unavailable" }), ["web_search_tool_result.error_code"]],
  ])("names what Responses has no member for of %s", (_what, block, lost) => {
    expect(lostOfSearch(block, Dialect.RESPONSES)).toEqual(lost);
    expect(lostOfSearch(block, Dialect.CHAT)).toBeUndefined();
  });

  it.each([
    ["pages", item({ type: "search", query: "a", sources: [] }), []],
    ["queries", item({ type: "search", queries: ["a", "b"], sources: [] }), ["web_search_call.action.queries"]],
    ["an item that tells no pages", item({ type: "search", query: "a" }), undefined],
    ["an item that tells no words", item({ type: "search", sources: [] }), undefined],
    ["a page that was opened", item({ type: "open_page", url: "u" }), undefined],
  ])("names what Messages has no member for of %s", (_what, block, lost) => {
    expect(lostOfSearch(block, Dialect.MESSAGES)).toEqual(lost);
  });
});
