import { appendFileSync } from "node:fs";
import { type AnswerAsAsked, type ScriptedUpstream, wholeAnswer } from "../../test/support/scripted-upstream.ts";
import {
  argumentsChunk,
  type Block,
  callBlock,
  callChunk,
  callItem,
  chatFrames,
  type Item,
  messageItem,
  messagesFrames,
  REASONING_ITEM,
  responsesFrames,
  SIGNATURE,
  THOUGHT,
  textBlock,
  UPSTREAM_HEADERS,
  type UpstreamKind,
} from "../../test/support/upstream-frames.ts";
import { wholeSaying } from "../../test/support/upstream-wholes.ts";
import { kindOf } from "../clients/scripted-models.ts";
import { checkAsServersDo, sealOf } from "./check-as-servers-do.ts";
import { type Move, playScene } from "./play-scene.ts";
import { readConversation } from "./read-conversation.ts";

const TEXT = "Grüße 🌍";

/** A file for what the models are asked, if one is wanted. */
const LOG = process.env["ATTUNE_COMPAT_LOG"];

/** A conversation that has to be compacted, for models with a window of 200,000. */
const LONG_TOKENS = 195_000;

/** Has an upstream play the scenes that its requests name, each model thinking first, and refuse what servers refuse. */
export function playModels(upstream: ScriptedUpstream): void {
  let count = 0;
  upstream.answerBy((path, body) => {
    if (/tokens$/.test(path)) return wholeAnswer('{"object":"response.input_tokens","input_tokens":12}');
    const kind = kindOf(path);
    const sent = JSON.parse(body) as Record<string, unknown>;
    const mistake = checkAsServersDo(kind, sent);
    if (mistake !== undefined) return refusal(kind, mistake);
    count += 1;
    const move = playScene(readConversation(kind, sent));
    if (LOG !== undefined) appendFileSync(LOG, `${JSON.stringify({ kind, move, sent })}\n`);
    return answer(kind, { move, isThinking: sent["thinking"] !== undefined, count });
  });
}

function refusal(kind: UpstreamKind, message: string): AnswerAsAsked {
  console.log(`refused by ${kind}: ${message}`);
  const error = { type: "invalid_request_error", message };
  const body = JSON.stringify(
    kind === "messages" ? { type: "error", error } : { error: { ...error, code: null, param: null } },
  );
  const refused = { status: 400, ...wholeAnswer(body) };
  return { streamed: refused, whole: refused };
}

interface Played {
  readonly move: Move;
  readonly isThinking: boolean;
  /** Makes ids differ from answer to answer, as those of servers do. */
  readonly count: number;
}

function answer(kind: UpstreamKind, { move, isThinking, count }: Played): AnswerAsAsked {
  const own = (text: string): string => {
    const sealed = text.replaceAll(SIGNATURE, sealOf(kind)).replaceAll("_up", `_up${count}`);
    if (move.does !== "speak" || move.isLong !== true) return sealed;
    const long = sealed.replace(/"cache_read_input_tokens":90/g, `"cache_read_input_tokens":${LONG_TOKENS - 30}`);
    return long
      .replace(/"(prompt_tokens|input_tokens)":120/g, `"$1":${LONG_TOKENS}`)
      .replace('"total_tokens":135', `"total_tokens":${LONG_TOKENS + 15}`);
  };
  const frames = FRAMES[kind](move, isThinking).map(own);
  const spoken = move.does === "speak" ? `${TEXT} ${move.text}` : TEXT;
  const calls =
    move.does === "call" ? [{ id: move.id, name: move.tool.name, arguments: JSON.stringify(move.input) }] : [];
  const whole = own(wholeSaying(kind, { text: calls.length > 0 ? undefined : spoken, calls }));
  return { streamed: { headers: UPSTREAM_HEADERS, steps: frames }, whole: wholeAnswer(whole, UPSTREAM_HEADERS) };
}

const FRAMES: Readonly<Record<UpstreamKind, (move: Move, isThinking: boolean) => string[]>> = {
  chat(move) {
    const thought = { reasoning_content: THOUGHT };
    if (move.does === "search") return chatFrames([thought, { content: TEXT }, { content: " saw-web" }], "stop");
    if (move.does === "speak") return chatFrames([thought, { content: TEXT }, { content: ` ${move.text}` }], "stop");
    const { id, tool, input } = move;
    return chatFrames(
      [thought, callChunk(0, { id, name: tool.name }), argumentsChunk(0, JSON.stringify(input))],
      "tool_calls",
    );
  },
  responses(move) {
    if (move.does === "search")
      return responsesFrames([REASONING_ITEM, SEARCH_ITEM, messageItem("msg_up", [TEXT, " saw-web"])]);
    if (move.does === "speak") return responsesFrames([REASONING_ITEM, messageItem("msg_up", [TEXT, ` ${move.text}`])]);
    return responsesFrames([REASONING_ITEM, calledItem(move)]);
  },
  messages(move, isThinking) {
    const thought: readonly Block[] = isThinking ? [THINKING_BLOCK] : [];
    if (move.does === "search")
      return messagesFrames([...thought, ...SEARCH_BLOCKS, textBlock(TEXT, " saw-web")], "end_turn");
    if (move.does === "speak") return messagesFrames([...thought, textBlock(TEXT, ` ${move.text}`)], "end_turn");
    const { id, tool, input } = move;
    return messagesFrames([...thought, callBlock({ id, name: tool.name }, JSON.stringify(input))], "tool_use");
  },
};

function calledItem({ id, tool, input }: Extract<Move, { does: "call" }>): Item {
  const call = { id, name: tool.name, arguments: JSON.stringify(input) };
  if (tool.type !== "custom") {
    const { added, events, done } = callItem(`fc_${id}`, call, [call.arguments]);
    const within = tool.namespace === undefined ? {} : { namespace: tool.namespace };
    return { added: { ...added, ...within }, events, done: { ...done, ...within } };
  }
  const text = String(input["input"]);
  const item = { id: `ctc_${id}`, type: "custom_tool_call", call_id: id, name: tool.name };
  return {
    added: { ...item, input: "", status: "in_progress" },
    events: [
      ["response.custom_tool_call_input.delta", { item_id: item.id, delta: text }],
      ["response.custom_tool_call_input.done", { item_id: item.id, input: text }],
    ],
    done: { ...item, input: text, status: "completed" },
  };
}

const searched = { id: "ws_up", type: "web_search_call", action: { type: "search", query: "attune" } };
const SEARCH_ITEM: Item = {
  added: { ...searched, status: "in_progress" },
  events: [
    ["response.web_search_call.in_progress", { item_id: "ws_up" }],
    ["response.web_search_call.searching", { item_id: "ws_up" }],
    ["response.web_search_call.completed", { item_id: "ws_up" }],
  ],
  done: { ...searched, status: "completed" },
};

const THINKING_BLOCK: Block = [
  { type: "thinking", thinking: "", signature: "" },
  { type: "thinking_delta", thinking: THOUGHT },
  { type: "signature_delta", signature: SIGNATURE },
];

const found = { type: "web_search_result", title: "Attune", url: "https://example.com/attune", page_age: null };
const SEARCH_BLOCKS: readonly Block[] = [
  [
    { type: "server_tool_use", id: "srvtoolu_up", name: "web_search", input: {} },
    { type: "input_json_delta", partial_json: '{"query":"attune"}' },
  ],
  [
    {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_up",
      content: [{ ...found, encrypted_content: SIGNATURE }],
    },
  ],
];
