import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import type { Topic } from "../topic.ts";

/** Long enough for the cache of the matrix's models: 1,024 tokens of four characters at least. */
const RULES = "Answer in one sentence. ".repeat(200);
const SCHEMA = { type: "object", properties: {} };
const user = { role: "user", content: "Why?" };
const functionTool = { name: "f", parameters: SCHEMA };

const CHAT =
  `"messages":[{"role":"system","content":"${RULES}"},{"role":"user","content":"Why?"}],` +
  '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]';
const ITEM = '{"type":"message","role":"user","content":"Why?"}';
const TOOL = '"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}}';
/** The tools alone are too short for a cache; the system prompt and the conversation end with a mark. */
const MARKED =
  `"system":[{"type":"text","text":"${RULES}","cache_control":{"type":"ephemeral"}}],` +
  '"messages":[{"role":"user","content":[{"type":"text","text":"Why?","cache_control":{"type":"ephemeral"}}]}],' +
  '"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}]';
const echo = {
  instructions: JSON.stringify(RULES),
  tools:
    '[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"description":null,"strict":null}]',
};

/** Prompts of agents that mark nothing: upstreams whose cache goes by marks are told what to keep. */
export const marksForOthers: Topic = {
  name: "marks for callers who mark nothing",
  requests: {
    chat: {
      messages: [{ role: "system", content: RULES }, user],
      tools: [{ type: "function", function: functionTool }],
    },
    responses: { instructions: RULES, input: "Why?", tools: [{ type: "function", ...functionTool }] },
    messages: { max_tokens: 64, system: RULES, messages: [user], tools: [{ name: "f", input_schema: SCHEMA }] },
  },
  upstreamAnswers: textAnswers(),
  routes: textRoutes({
    chat: {
      "openai-chat": { members: CHAT },
      "openai-responses": {
        members: `"input":[{"type":"message","role":"system","content":"${RULES}"},${ITEM}],${TOOL},"strict":false}]`,
      },
      "anthropic-messages": { members: `"max_tokens":4096,${MARKED}` },
    },
    responses: {
      "openai-chat": { members: CHAT, echo },
      "openai-responses": { members: `"instructions":"${RULES}","input":[${ITEM}],${TOOL}}]`, echo },
      "anthropic-messages": { members: `"max_tokens":4096,${MARKED}`, echo },
    },
    messages: {
      "openai-chat": { members: `${CHAT},"max_tokens":64` },
      "openai-responses": {
        members: `"instructions":"${RULES}","input":[${ITEM}],${TOOL},"strict":false}],"max_output_tokens":64`,
      },
      "anthropic-messages": { members: `"max_tokens":64,${MARKED}` },
    },
  }),
};
