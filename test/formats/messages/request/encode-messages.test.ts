import { describe, expect, it } from "vitest";
import { CacheTtl, Dialect, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { ServerFacts } from "../../../../src/catalog/facts.ts";
import { findServerFacts } from "../../../../src/catalog/server-facts.ts";
import { encodeRequest } from "../../../../src/formats/messages/request/encode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { asSent } from "../../shared/as-sent.ts";
import { type Block, call, chatJson, HI, type Message, result, SENT_HI, said, send, text } from "./hub.ts";
import { target } from "./target.ts";

const marked = (ttl: CacheTtl): Block => ({ cacheMark: { ttl } });

const CHAT = Dialect.CHAT;
const RESPONSES = Dialect.RESPONSES;

it("sends results of tools and the text behind them as two turns to a server that reads the text first", () => {
  const messages = [
    HI,
    { role: Role.ASSISTANT, content: [call("c1")] },
    { role: Role.USER, content: [result("c1", text("18")), text("So?")] },
  ];
  const turnsFor = (profile: ServerFacts | undefined): JsonObject[] => {
    const input = createHubInput({ model: "attune/m", messages, dialect: CHAT });
    const { body } = asSent(encodeRequest(input, { ...target, profile }));
    return JSON.parse(body)["messages"].slice(2);
  };
  const results = [{ type: "tool_result", tool_use_id: "c1", content: "18" }];
  expect(turnsFor(undefined)).toEqual([{ role: "user", content: [...results, { type: "text", text: "So?" }] }]);
  expect(turnsFor(findServerFacts("llama.cpp", "messages"))).toEqual([
    { role: "user", content: results },
    { role: "user", content: "So?" },
  ]);
});

/** What it is, format, messages, expected members, expected losses. */
const conversations: readonly [string, Dialect, Message[], JsonObject, string[]][] = [
  [
    "leading system and developer messages as the system prompt",
    CHAT,
    [said(Role.SYSTEM, "A"), said(Role.DEVELOPER, "B", "C"), HI],
    {
      system: [
        { type: "text", text: "A" },
        { type: "text", text: "B" },
        { type: "text", text: "C" },
      ],
      messages: [SENT_HI],
    },
    [],
  ],
  [
    "an answer to go on with, whose end has no white space",
    CHAT,
    [HI, said(Role.ASSISTANT, "A: ", "Thus, \n")],
    {
      messages: [
        SENT_HI,
        {
          role: "assistant",
          content: [
            { type: "text", text: "A: " },
            { type: "text", text: "Thus," },
          ],
        },
      ],
    },
    ["messages[1].content"],
  ],
  [
    "a later system message in its place",
    CHAT,
    [said(Role.SYSTEM, "A"), HI, said(Role.DEVELOPER, "B"), said(Role.SYSTEM, "C"), said(Role.ASSISTANT, "Yo"), HI],
    {
      system: "A",
      messages: [
        SENT_HI,
        {
          role: "system",
          content: [
            { type: "text", text: "B" },
            { type: "text", text: "C" },
          ],
        },
        { role: "assistant", content: "Yo" },
        SENT_HI,
      ],
    },
    [],
  ],
  [
    "a conversation that the assistant begins, behind the least that a user can say",
    CHAT,
    [said(Role.SYSTEM, "S"), said(Role.ASSISTANT, "Yo"), HI],
    {
      system: "S",
      messages: [{ role: "user", content: "." }, { role: "assistant", content: "Yo" }, SENT_HI],
    },
    ["messages[1].role"],
  ],
  [
    "a system message at the end",
    CHAT,
    [HI, said(Role.SYSTEM, "Be brief.")],
    { messages: [SENT_HI, { role: "system", content: "Be brief." }] },
    [],
  ],
  [
    "a system message where none may stand, as the user's",
    CHAT,
    [HI, said(Role.ASSISTANT, "Yo"), said(Role.SYSTEM, "B"), HI],
    {
      messages: [
        SENT_HI,
        { role: "assistant", content: "Yo" },
        {
          role: "user",
          content: [
            { type: "text", text: "B" },
            { type: "text", text: "Hi" },
          ],
        },
      ],
    },
    ["messages[2].role"],
  ],
  [
    "system messages alone: the last as the user's",
    CHAT,
    [said(Role.SYSTEM, "A"), said(Role.SYSTEM, "B")],
    { system: "A", messages: [{ role: "user", content: "B" }] },
    ["messages[1].role"],
  ],
  [
    "parallel calls, their results in one user turn before its text",
    CHAT,
    [
      HI,
      said(Role.ASSISTANT, "", call("call_1", '{"n":1}'), call("call_2", "")),
      { role: Role.TOOL, content: [result("call_1", text("one"))] },
      { role: Role.TOOL, content: [result("call_2", text(""))] },
      said(Role.USER, "Go on"),
    ],
    {
      messages: [
        SENT_HI,
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "call_1", name: "f", input: { n: 1 } },
            { type: "tool_use", id: "call_2", name: "f", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: "one" },
            { type: "tool_result", tool_use_id: "call_2" },
            { type: "text", text: "Go on" },
          ],
        },
      ],
    },
    [],
  ],
  [
    "a result that comes after the user's text, before it",
    RESPONSES,
    [
      HI,
      said(Role.ASSISTANT, call("fc 1")),
      said(Role.USER, "Wait"),
      { role: Role.TOOL, content: [result("fc 1", text("one"))] },
    ],
    {
      messages: [
        SENT_HI,
        { role: "assistant", content: [{ type: "tool_use", id: "fc_1_dcb6712ff1a7", name: "f", input: {} }] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "fc_1_dcb6712ff1a7", content: "one" },
            { type: "text", text: "Wait" },
          ],
        },
      ],
    },
    [],
  ],
  [
    "items of Responses as turns, with reasoning that has its signature",
    RESPONSES,
    [
      HI,
      said(Role.ASSISTANT, { kind: { case: "thinking", value: { summary: ["A", "B"], opaque: "sig", id: "rs_1" } } }),
      said(Role.ASSISTANT, { kind: { case: "redactedThinking", value: { data: "ZA==" } } }),
      { ...said(Role.ASSISTANT, "Yo"), extension: { dialect: RESPONSES, json: '{"status":"completed","phase":"x"}' } },
      said(Role.ASSISTANT, { kind: { case: "thinking", value: { text: "raw" } } }),
      { content: [{ kind: { case: "opaque", value: { dialect: RESPONSES, json: '{"type":"item_reference"}' } } }] },
    ],
    {
      messages: [
        SENT_HI,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "A\n\nB", signature: "sig" },
            { type: "redacted_thinking", data: "ZA==" },
            { type: "text", text: "Yo" },
          ],
        },
      ],
    },
    ["messages[3].extension.phase", "messages[4].content[0]", "messages[5]"],
  ],
  [
    "images, documents and refusals",
    CHAT,
    [
      said(
        Role.USER,
        { kind: { case: "image", value: { source: { case: "url", value: "https://x.test/a.png" }, detail: "low" } } },
        {
          kind: {
            case: "image",
            value: {
              source: { case: "inline", value: { mediaType: "image/jpg", base64: "/9j/AA==" } },
              detail: "auto",
            },
          },
        },
        { kind: { case: "image", value: { source: { case: "inline", value: { base64: "R0lGODlh" } } } } },
        {
          kind: {
            case: "document",
            value: {
              source: { case: "inline", value: { mediaType: "application/pdf", base64: "JVBERi0=" } },
              title: "a.pdf",
            },
          },
        },
        {
          kind: {
            case: "document",
            value: { source: { case: "inline", value: { mediaType: "text/markdown; charset=utf-8", base64: "w6k=" } } },
          },
        },
        { kind: { case: "document", value: { source: { case: "url", value: "https://x.test/a.pdf" } } } },
      ),
      said(Role.ASSISTANT, { kind: { case: "refusal", value: { text: "No." } } }),
      { ...HI, name: "ann", extension: chatJson('{"x":1,"y":null,"z":[]}') },
    ],
    {
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "url", url: "https://x.test/a.png" } },
            { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "/9j/AA==" } },
            { type: "image", source: { type: "base64", media_type: "image/gif", data: "R0lGODlh" } },
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
              title: "a.pdf",
            },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "é" } },
            { type: "document", source: { type: "url", url: "https://x.test/a.pdf" } },
          ],
        },
        { role: "assistant", content: "No." },
        SENT_HI,
      ],
    },
    ["messages[0].content[0].detail", "messages[2].extension.x", "messages[2].name"],
  ],
  [
    "no blank texts, which say nothing: of instructions, beside calls, in results and between texts",
    CHAT,
    [
      said(Role.SYSTEM, "\n", "S"),
      said(Role.USER, "a", " \t", "b"),
      said(Role.ASSISTANT, "\n\n", call("c")),
      { role: Role.TOOL, content: [result("c", text("\n"))] },
    ],
    {
      system: "S",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c" }] },
      ],
    },
    [],
  ],
  [
    "no turn of the assistant that is blank, but the user's around it as one; a mark on it is a loss",
    CHAT,
    [said(Role.SYSTEM, " "), HI, said(Role.ASSISTANT, text("\n", marked(CacheTtl.CACHE_TTL_5M))), HI],
    {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "text", text: "Hi" },
          ],
        },
      ],
    },
    ["messages[2].content[0].cache_mark"],
  ],
  [
    "no blank text of the assistant for a caller of the format, whose own texts stay",
    Dialect.MESSAGES,
    [said(Role.USER, "a", "\n"), said(Role.ASSISTANT, "\n", call("c")), said(Role.USER, result("c", text(" ")))],
    {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "\n" },
          ],
        },
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: " " }] },
      ],
    },
    [],
  ],
  [
    "no message of the assistant that is blank for a caller of the format",
    Dialect.MESSAGES,
    [HI, said(Role.ASSISTANT, text("\n", marked(CacheTtl.CACHE_TTL_5M))), HI],
    { messages: [SENT_HI, SENT_HI] },
    ["messages[1].content[0].cache_mark"],
  ],
  [
    "arguments that are no JSON object as an empty one",
    CHAT,
    [HI, said(Role.ASSISTANT, "a", call("c", "{", "g")), { role: Role.TOOL, content: [result("c")] }],
    {
      messages: [
        SENT_HI,
        {
          role: "assistant",
          content: [
            { type: "text", text: "a" },
            { type: "tool_use", id: "c", name: "g", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c" }] },
      ],
    },
    ["messages[1].content[1].arguments"],
  ],
  [
    "the last four marks, with the lifetimes that the format has",
    CHAT,
    [
      said(Role.SYSTEM, text("S", marked(CacheTtl.CACHE_TTL_30M))),
      said(
        Role.USER,
        text("1", marked(CacheTtl.CACHE_TTL_12H)),
        text("2", marked(CacheTtl.CACHE_TTL_30M)),
        text("3", marked(CacheTtl.CACHE_TTL_UNSPECIFIED)),
        text("4", marked(CacheTtl.CACHE_TTL_1H)),
      ),
      said(Role.ASSISTANT, { kind: { case: "redactedThinking", value: { data: "d" } }, cacheMark: {} }),
    ],
    {
      system: "S",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "1", cache_control: { type: "ephemeral", ttl: "1h" } },
            { type: "text", text: "2", cache_control: { type: "ephemeral" } },
            { type: "text", text: "3", cache_control: { type: "ephemeral" } },
            { type: "text", text: "4", cache_control: { type: "ephemeral" } },
          ],
        },
        { role: "assistant", content: [{ type: "redacted_thinking", data: "d" }] },
      ],
    },
    [
      "messages[0].content[0].cache_mark",
      "messages[1].content[0].cache_mark.ttl",
      "messages[1].content[1].cache_mark.ttl",
      "messages[1].content[3].cache_mark.ttl",
      "messages[2].content[0].cache_mark",
    ],
  ],
];

describe("encodeRequest()", () => {
  it.each(conversations)("sends %s", (_what, dialect, messages, body, losses) => {
    expect(send({ dialect, messages })).toEqual({
      body: { model: "claude-x", max_tokens: 64_000, stream: true, ...body },
      losses,
    });
  });

  it("puts the instructions of Responses before its system messages", () => {
    const { body } = send({ dialect: RESPONSES, system: [text("A")], messages: [said(Role.DEVELOPER, "B"), HI] });
    expect(body["system"]).toEqual([
      { type: "text", text: "A" },
      { type: "text", text: "B" },
    ]);
  });
});
