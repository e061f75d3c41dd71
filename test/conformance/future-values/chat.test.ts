import { type FutureValue, testFutureValues } from "./future-value.ts";

const user = [{ role: "user", content: "Why?" }];
const SAID = '"messages":[{"role":"user","content":"Why?"}]';
const TOOL = { type: "function", function: { name: "f" } };
const TOOLS = '"tools":[{"type":"function","function":{"name":"f"}}]';

/** A request whose one message holds this part and a text. */
function part(member: string, json: string, losses: readonly string[]): FutureValue {
  return {
    member,
    request: { messages: [{ role: "user", content: [JSON.parse(json), { type: "text", text: "?" }] }] },
    received: `"messages":[{"role":"user","content":[${json},{"type":"text","text":"?"}]}]`,
    losses,
  };
}

function option(member: string, json: string, losses: readonly string[]): FutureValue {
  return { member, request: { messages: user, ...JSON.parse(`{${json}}`) }, received: `${SAID},${json}`, losses };
}

function choice(member: string, json: string): FutureValue {
  return {
    member,
    request: { messages: user, tools: [TOOL], tool_choice: JSON.parse(json) },
    received: `${SAID},${TOOLS},"tool_choice":${json}`,
    losses: ["tool_choice"],
  };
}

testFutureValues("chat", [
  option("reasoning_effort", '"reasoning_effort":"ultra"', ["reasoning_effort"]),
  option("verbosity", '"verbosity":"epic"', ["verbosity"]),
  option("response_format.type", '"response_format":{"type":"grammar","grammar":"a+"}', ["response_format"]),
  // The other format of the same vendor has the same tiers.
  {
    ...option("service_tier", '"service_tier":"turbo"', ["service_tier"]),
    lossesAt: { "openai-responses": [] },
  },
  choice("tool_choice", '"eager"'),
  choice("tool_choice.type", '{"type":"weighted","weights":{"f":2}}'),
  choice(
    "tool_choice.allowed_tools.mode",
    '{"type":"allowed_tools","allowed_tools":{"mode":"preferred","tools":[{"type":"function","function":{"name":"f"}}]}}',
  ),
  part("image_url.detail", '{"type":"image_url","image_url":{"url":"https://a.test/i.png","detail":"retina"}}', [
    "messages[0].content[0].image_url.detail",
  ]),
  part(
    "prompt_cache_breakpoint.ttl",
    '{"type":"text","text":"a","prompt_cache_breakpoint":{"mode":"explicit","ttl":"7d"}}',
    ["messages[0].content[0].prompt_cache_breakpoint.ttl"],
  ),
  part(
    "prompt_cache_breakpoint.mode",
    '{"type":"text","text":"a","prompt_cache_breakpoint":{"mode":"rolling","n":2}}',
    ["messages[0].content[0].prompt_cache_breakpoint"],
  ),
  {
    member: "role",
    request: { messages: [...user, { role: "critic", content: [{ type: "text", text: "Hm" }] }] },
    received: '"messages":[{"role":"user","content":"Why?"},{"role":"critic","content":[{"type":"text","text":"Hm"}]}]',
    losses: ["messages[1]"],
  },
  {
    member: "tool_calls.type",
    request: {
      messages: [
        ...user,
        { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "mcp", mcp: { server: "s", name: "f" } }] },
        { role: "tool", tool_call_id: "c1", content: "ok" },
      ],
    },
    received:
      '"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":null,"tool_calls":' +
      '[{"id":"c1","type":"mcp","mcp":{"server":"s","name":"f"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]',
    losses: ["messages[1]"],
  },
]);
