import { type FutureValue, testFutureValues } from "./future-value.ts";

const SAID = '"input":[{"type":"message","role":"user","content":"Why?"}]';
const TOOL = { type: "function", name: "f", parameters: { type: "object" } };
const TOOLS = '"tools":[{"type":"function","name":"f","parameters":{"type":"object"}}]';

/** A request whose one message holds this part and a text. */
function part(member: string, json: string, losses: readonly string[]): FutureValue {
  return {
    member,
    request: { input: [{ role: "user", content: [JSON.parse(json), { type: "input_text", text: "?" }] }] },
    received: `"input":[{"type":"message","role":"user","content":[${json},{"type":"input_text","text":"?"}]}]`,
    losses,
  };
}

function option(member: string, json: string, losses: readonly string[]): FutureValue {
  return { member, request: { input: "Why?", ...JSON.parse(`{${json}}`) }, received: `${SAID},${json}`, losses };
}

function choice(member: string, json: string): FutureValue {
  return {
    member,
    request: { input: "Why?", tools: [TOOL], tool_choice: JSON.parse(json) },
    received: `${SAID},${TOOLS},"tool_choice":${json}`,
    losses: ["tool_choice"],
  };
}

testFutureValues("responses", [
  option("reasoning.effort", '"reasoning":{"effort":"ultra"}', ["reasoning.effort"]),
  option("reasoning.summary", '"reasoning":{"effort":"low","summary":"verbatim"}', ["reasoning.summary"]),
  option("text.verbosity", '"text":{"verbosity":"epic"}', ["text.verbosity"]),
  option("text.format.type", '"text":{"format":{"type":"grammar","grammar":"a+"}}', ["text.format"]),
  option("service_tier", '"service_tier":"turbo"', ["service_tier"]),
  option("truncation", '"truncation":"smart"', ["truncation"]),
  choice("tool_choice", '"eager"'),
  choice("tool_choice.type", '{"type":"weighted","weights":{"f":2}}'),
  choice("tool_choice.mode", '{"type":"allowed_tools","mode":"preferred","tools":[{"type":"function","name":"f"}]}'),
  part("detail", '{"type":"input_image","detail":"retina","image_url":"https://a.test/i.png"}', [
    "input[0].content[0].detail",
  ]),
  part(
    "prompt_cache_breakpoint.ttl",
    '{"type":"input_text","text":"a","prompt_cache_breakpoint":{"mode":"explicit","ttl":"7d"}}',
    ["input[0].content[0].prompt_cache_breakpoint.ttl"],
  ),
  part(
    "prompt_cache_breakpoint.mode",
    '{"type":"input_text","text":"a","prompt_cache_breakpoint":{"mode":"rolling","n":2}}',
    ["input[0].content[0].prompt_cache_breakpoint"],
  ),
  {
    member: "role",
    request: {
      input: [
        { role: "user", content: "Why?" },
        { role: "critic", content: "Hm" },
      ],
    },
    received: '"input":[{"type":"message","role":"user","content":"Why?"},{"role":"critic","content":"Hm"}]',
    losses: ["input[1]"],
  },
]);
