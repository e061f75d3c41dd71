import { type FutureValue, testFutureValues } from "./future-value.ts";

const user = [{ role: "user", content: "Why?" }];
const SAID = '"max_tokens":64,"messages":[{"role":"user","content":"Why?"}]';
const TOOL = { name: "f", input_schema: { type: "object" } };
const TOOLS = '"tools":[{"name":"f","input_schema":{"type":"object"}}]';

/** A request whose one message holds this block and a text. */
function block(member: string, json: string, losses: readonly string[]): FutureValue {
  return {
    member,
    request: { max_tokens: 64, messages: [{ role: "user", content: [JSON.parse(json), { type: "text", text: "?" }] }] },
    received: `"max_tokens":64,"messages":[{"role":"user","content":[${json},{"type":"text","text":"?"}]}]`,
    losses,
  };
}

function option(member: string, json: string, losses: readonly string[]): FutureValue {
  const members = JSON.parse(`{${json}}`);
  return { member, request: { max_tokens: 64, messages: user, ...members }, received: `${SAID},${json}`, losses };
}

testFutureValues("messages", [
  option("thinking.display", '"thinking":{"type":"adaptive","display":"verbatim"}', ["thinking.display"]),
  option("thinking.type", '"thinking":{"type":"deep","budget_tokens":512,"display":"omitted"}', [
    "thinking.type",
    "thinking.budget_tokens",
    "thinking.display",
  ]),
  option("output_config.effort", '"output_config":{"effort":"ultra"}', ["output_config.effort"]),
  option("output_config.format.type", '"output_config":{"format":{"type":"grammar","grammar":"a+"}}', [
    "output_config.format",
  ]),
  option("cache_control.ttl of the request", '"cache_control":{"type":"ephemeral","ttl":"24h"}', ["cache_control.ttl"]),
  option("service_tier", '"service_tier":"turbo"', ["service_tier"]),
  block("cache_control.ttl", '{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"24h"}}', [
    "messages[0].content[0].cache_control.ttl",
  ]),
  block("cache_control.type", '{"type":"text","text":"a","cache_control":{"type":"lasting","ttl":"9d"}}', [
    "messages[0].content[0].cache_control",
  ]),
  block("source.type of an image", '{"type":"image","source":{"type":"camera","id":7}}', ["messages[0].content[0]"]),
  // Every format can say the type of bytes.
  {
    ...block(
      "source.media_type of a document",
      '{"type":"document","source":{"type":"base64","media_type":"application/epub+zip","data":"UEsD"}}',
      [],
    ),
  },
  block("source.type of a document", '{"type":"document","source":{"type":"git","commit":"c0ffee"}}', [
    "messages[0].content[0]",
  ]),
  block(
    "source.media_type of a text",
    '{"type":"document","source":{"type":"text","media_type":"text/x-new","data":"a"}}',
    ["messages[0].content[0]"],
  ),
  {
    member: "source.media_type of an image",
    request: {
      max_tokens: 64,
      messages: [
        {
          role: "user",
          content: [{ type: "image", source: { type: "base64", media_type: "image/avif", data: "AAAA" } }],
        },
      ],
    },
    received:
      '"max_tokens":64,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/avif","data":"AAAA"}}]}]',
    losses: [],
  },
  {
    member: "cache_control.ttl before an hour's",
    request: {
      max_tokens: 64,
      system: [{ type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "24h" } }],
      messages: [
        { role: "user", content: [{ type: "text", text: "b", cache_control: { type: "ephemeral", ttl: "1h" } }] },
      ],
    },
    received:
      '"max_tokens":64,"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"24h"}}],' +
      '"messages":[{"role":"user","content":[{"type":"text","text":"b","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]',
    losses: ["system[0].cache_control.ttl", "messages[0].content[0].cache_control.ttl"],
  },
  {
    member: "the type of a block of system",
    request: { max_tokens: 64, system: [{ type: "policy", id: "p" }], messages: user },
    received: '"max_tokens":64,"system":[{"type":"policy","id":"p"}],"messages":[{"role":"user","content":"Why?"}]',
    losses: ["system[0]"],
  },
  {
    member: "role",
    request: { max_tokens: 64, messages: [...user, { role: "critic", content: [{ type: "text", text: "Hm" }] }] },
    received:
      '"max_tokens":64,"messages":[{"role":"user","content":"Why?"},{"role":"critic","content":[{"type":"text","text":"Hm"}]}]',
    losses: ["messages[1]"],
  },
  {
    member: "tool_choice.type",
    request: { max_tokens: 64, messages: user, tools: [TOOL], tool_choice: { type: "eager", weight: 2 } },
    received: `${SAID},${TOOLS},"tool_choice":{"type":"eager","weight":2}`,
    losses: ["tool_choice"],
  },
  {
    member: "cache_control.ttl of a tool",
    request: {
      max_tokens: 64,
      messages: user,
      tools: [{ ...TOOL, cache_control: { type: "ephemeral", ttl: "24h" } }],
    },
    received: `${SAID},"tools":[{"name":"f","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral","ttl":"24h"}}]`,
    losses: ["tools[0].cache_control", "tools[0].cache_control.ttl"],
  },
]);
