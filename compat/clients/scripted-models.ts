import {
  type Answer,
  type AnswerAsAsked,
  type ScriptedUpstream,
  wholeAnswer,
} from "../../test/support/scripted-upstream.ts";
import {
  argumentsChunk,
  callBlock,
  callChunk,
  callItem,
  chatFrames,
  FRAMES,
  messagesFrames,
  responsesFrames,
  UPSTREAM_HEADERS,
  UPSTREAM_KINDS,
  type UpstreamKind,
} from "../../test/support/upstream-frames.ts";
import { WHOLES, wholeSaying } from "../../test/support/upstream-wholes.ts";

const LOOK = "echo looked";

/** How the upstreams of models that fail do so, by the beginning of their paths and the end of their names. */
const FAILURES = {
  refused: { status: 400, type: "invalid_request_error", message: "the oracle of Oslo does not take this question" },
  limited: { status: 429, type: "rate_limit_error", message: "the oracle of Oslo takes one question a minute" },
} as const;

/** What the models say to tools that they know, by the tools' names. */
const ARGUMENTS: readonly (readonly [name: RegExp, args: object])[] = [
  [/^(?:.*-)?get_weather$/, { city: "Oslo" }],
  [/^Weather$/, { city: "Oslo", degrees: 4 }],
  [/^exec_command$|__exec_command$/, { cmd: LOOK }],
  [/^(?:.*__)?exec$/, { input: `text(await tools.exec_command({cmd: "${LOOK}"}))` }],
  [/^[Bb]ash$/, { command: LOOK, description: "Looks" }],
];

/** What a conversation holds once a tool has answered, in each format. */
const RESULTS = /"role":"tool"|"type":"(?:function_call_output|custom_tool_call_output)"|"type":"tool_result"/;

interface SentTool {
  readonly name?: string;
  readonly type?: string;
  readonly function?: { readonly name: string };
  readonly tools?: readonly SentTool[];
}

interface SentBody {
  readonly tools?: readonly SentTool[];
  readonly input?: readonly { readonly type?: string; readonly tools?: readonly SentTool[] }[] | string;
}

/** The prompts at which the models think before they speak, and fail. */
export const THINK = "think first";
export const FAIL = "fail";

/**
 * Has an upstream call a tool that it knows, and speak once there is a result; without tools it speaks at once, unless
 * the prompt is one of the above.
 */
export function scriptModels(upstream: ScriptedUpstream): void {
  upstream.answerBy((path, body) => {
    if (/tokens$/.test(path)) return wholeAnswer('{"object":"response.input_tokens","input_tokens":12}');
    const failure = Object.entries(FAILURES).find(([name]) => path.startsWith(`/${name}/`));
    if (failure !== undefined) return failureAnswer(failure[1]);
    const kind = kindOf(path);
    if (body.includes(`"${FAIL}"`)) return { status: 500, ...wholeAnswer('{"error":{"message":"broken"}}') };
    if (body.includes(`"${THINK}"`)) return asAsked(FRAMES[kind].thinking, WHOLES[kind].thinking);
    const call = RESULTS.test(body) ? undefined : callFor(JSON.parse(body) as SentBody);
    return call === undefined
      ? asAsked(FRAMES[kind].text, WHOLES[kind].text)
      : asAsked(calling(kind, call), wholeSaying(kind, { text: undefined, calls: [call] }));
  });
}

function failureAnswer({ status, ...error }: (typeof FAILURES)[keyof typeof FAILURES]): Answer {
  return { status, ...wholeAnswer(JSON.stringify({ type: "error", error: { ...error, code: null, param: null } })) };
}

/** Names the kind of upstream that is asked at a path. */
export function kindOf(path: string): UpstreamKind {
  if (path.includes("/messages")) return "messages";
  return path.includes("/responses") ? "responses" : "chat";
}

function asAsked(frames: readonly string[], whole: string): AnswerAsAsked {
  return { streamed: { headers: UPSTREAM_HEADERS, steps: frames }, whole: wholeAnswer(whole, UPSTREAM_HEADERS) };
}

type Call = { readonly id: string; readonly name: string; readonly arguments: string };

function callFor({ tools = [], input = [] }: SentBody): Call | undefined {
  const brought = typeof input === "string" ? [] : input.flatMap((item) => item.tools ?? []);
  const names = [...tools, ...brought].flatMap(namesOf);
  for (const [pattern, args] of ARGUMENTS) {
    const name = names.find((each) => pattern.test(each));
    if (name !== undefined)
      return { id: `call_${crypto.randomUUID().slice(0, 8)}`, name, arguments: JSON.stringify(args) };
  }
  return undefined;
}

function namesOf({ name, function: fn, tools }: SentTool): string[] {
  return tools === undefined ? [fn?.name ?? name ?? ""] : tools.flatMap(namesOf);
}

function calling(kind: UpstreamKind, call: Call): string[] {
  switch (kind) {
    case "chat":
      return chatFrames([callChunk(0, call), argumentsChunk(0, call.arguments)], "tool_calls");
    case "responses":
      return responsesFrames([callItem(`fc_${call.id}`, call, [call.arguments])]);
    case "messages":
      return messagesFrames([callBlock(call, call.arguments)], "tool_use");
  }
}

/**
 * Text of a configuration with a model for each kind of upstream, which may have one more name, and two of each that
 * fail.
 */
export function modelsYaml(url: string, aliases?: Readonly<Record<UpstreamKind, string>>): string {
  const working = UPSTREAM_KINDS.map((kind) => ({ kind, name: kind as string, root: url, alias: aliases?.[kind] }));
  const failing = UPSTREAM_KINDS.flatMap((kind) =>
    Object.keys(FAILURES).map((way) => ({ kind, name: `${kind}-${way}`, root: `${url}/${way}`, alias: undefined })),
  );
  const kinds = { chat: "openai-chat", responses: "openai-responses", messages: "anthropic-messages" };
  const upstreams = [...working, ...failing].map(({ kind, name, root }) => {
    const base = kind === "messages" ? root : `${root}/v1`;
    return `  ${name}: { kind: ${kinds[kind]}, baseUrl: "${base}", apiKey: k }`;
  });
  const models = [...working, ...failing].map(
    ({ name, alias }) => `  - name: ${name}-model
    family: messages
    contextWindow: 200000
    maxOutputTokens: 64000${alias === undefined ? "" : `\n    aliases: [${alias}]`}
    deployments: [ { upstream: ${name}, model: real-model } ]`,
  );
  return `upstreams:\n${upstreams.join("\n")}\nmodels:\n${models.join("\n")}\n`;
}
