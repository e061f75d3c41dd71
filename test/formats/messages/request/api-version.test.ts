import { describe, expect, it } from "vitest";
import { readApiVersion } from "../../../../src/formats/messages/request/api-version.ts";
import { decodeCountRequest, decodeRequest } from "../../../../src/formats/messages/request/decode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";

const OLD = { "anthropic-version": "2023-06-01" };
const NEW = { "anthropic-version": "2026-10-21" };
const REMEDY = "leave it out, or send the header 'anthropic-version: 2023-06-01'";

const body = (members: JsonObject): JsonObject => ({
  model: "attune/m",
  max_tokens: 16,
  messages: [{ role: "user", content: "Hi" }],
  ...members,
});
const cited = { type: "text", text: "It rains.", citations: [{ type: "char_location", cited_text: "rain" }] };
const uncited = { type: "text", text: "It rains.", citations: [] };
const document = { type: "document", source: { type: "text", media_type: "text/plain", data: "Rain." } };
const call = { type: "tool_use", id: "t", name: "f", input: {} };
const user = (...content: JsonObject[]) => body({ messages: [{ role: "user", content }] });
const assistant = (...content: JsonObject[]) =>
  body({
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content },
    ],
  });

describe("readApiVersion()", () => {
  it.each([
    [{}, "2023-06-01"],
    [OLD, "2023-06-01"],
    [NEW, "2026-10-21"],
  ])("reads %j", (headers, version) => {
    expect(readApiVersion(headers)).toBe(version);
  });

  it.each(["2023-01-01", "", "latest", "2023-06-01, 2026-10-21"])(
    "refuses the version %j and names the known ones",
    (value) => {
      expect(() => readApiVersion({ "anthropic-version": value })).toThrow(
        `the header 'anthropic-version' must be one of '2023-06-01', '2026-10-21', not '${value}'`,
      );
    },
  );
});

// Hard case 24 of the formats.
describe("checkApiVersion()", () => {
  const removed: readonly [string, JsonObject, string][] = [
    ["temperature", body({ temperature: 1 }), "temperature: is not part of version 2026-10-21 of the API; "],
    ["top_p", body({ top_p: 0.5 }), "top_p: is not part of version 2026-10-21 of the API; "],
    ["top_k", body({ top_k: 0 }), "top_k: is not part of version 2026-10-21 of the API; "],
    [
      "a document in an assistant message",
      assistant({ type: "text", text: "Here:" }, document),
      "messages[1].content[1]: a document isn't allowed in an assistant message in version 2026-10-21 of the API; ",
    ],
    [
      "citations of the user",
      user({ type: "text", text: "Look:" }, cited),
      "messages[0].content[1].citations: a text of the user may not have citations in version 2026-10-21 of the API; ",
    ],
    [
      "citations in a search result",
      user({ type: "search_result", source: "s", title: "t", content: [cited] }),
      "messages[0].content[0].content[0].citations: a text of the user may not have citations in version 2026-10-21 of the API; ",
    ],
    [
      "citations in a tool's result",
      body({
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: [call] },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "t",
                content: [{ type: "search_result", source: "s", title: "t", content: [uncited, cited] }],
              },
            ],
          },
        ],
      }),
      "messages[2].content[0].content[0].content[1].citations: a text of the user may not have citations in version 2026-10-21 of the API; ",
    ],
  ];

  it.each(removed)("case 24: refuses %s in the newer version alone", (_what, request, message) => {
    expect(() => decodeRequest(request, NEW)).toThrow(`${message}${REMEDY}`);
    expect(() => decodeCountRequest(request, NEW)).toThrow(`${message}${REMEDY}`);
    expect(decodeRequest(request, OLD).input).toEqual(decodeRequest(request).input);
    expect(decodeCountRequest(request, OLD)).toEqual(decodeCountRequest(request));
  });

  const kept: readonly [string, JsonObject][] = [
    ["sampling that is not given", body({ temperature: null, top_p: null })],
    ["citations of the model", assistant(cited)],
    ["a list without citations", user(uncited)],
    ["a document of the user", user(document)],
  ];

  it.each(kept)("takes %s in the newer version", (_what, request) => {
    expect(decodeRequest(request, NEW).input).toEqual(decodeRequest(request, OLD).input);
  });
});
