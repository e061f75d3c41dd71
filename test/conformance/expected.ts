/**
 * Writes out the parts of the expected bytes that are the same in every answer of a format, so that a topic shows what
 * is its own. Every text here is written by hand from the formats' documentation; nothing of the product is used.
 */
import { dataFrames, typedFrames, type UpstreamKind } from "./topic.ts";

/** Usage of a Chat answer. `reasoning` undefined: the upstream did not say. */
export interface ExpectedUsage {
  /** Prompt tokens that no cache held. */
  readonly input: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /**
   * Of `cacheWrite`: those kept for an hour; the rest is kept for five minutes. Undefined: the upstream did not say.
   */
  readonly cacheWrite1h?: number;
  readonly output: number;
  readonly reasoning?: number;
}

function promptOf({ input, cacheRead = 0, cacheWrite = 0 }: ExpectedUsage): number {
  return input + cacheRead + cacheWrite;
}

/** Usage as Chat writes it. */
export function chatUsage(usage: ExpectedUsage): string {
  const { cacheRead = 0, cacheWrite = 0, output, reasoning } = usage;
  const prompt = promptOf(usage);
  const details = reasoning === undefined ? "" : `,"completion_tokens_details":{"reasoning_tokens":${reasoning}}`;
  return (
    `{"prompt_tokens":${prompt},"completion_tokens":${output},"total_tokens":${prompt + output},` +
    `"prompt_tokens_details":{"cached_tokens":${cacheRead},"cache_write_tokens":${cacheWrite}}${details}}`
  );
}

/** A whole Chat answer. `message` holds the members of the message after `role`. */
export function chatAnswer(
  kind: UpstreamKind,
  { message, finish, usage }: { readonly message: string; readonly finish: string; readonly usage: ExpectedUsage },
): string {
  return (
    `{"id":"<id>","object":"chat.completion","created":<created>,"model":"attune/${kind}","system_fingerprint":null,"choices":[{"index":0,` +
    `"message":{"role":"assistant",${message}},"logprobs":null,"finish_reason":"${finish}"}],"usage":${chatUsage(usage)}}`
  );
}

/**
 * A Chat stream: the role, the deltas, the finish, the usage if the caller asked for it, the end. It opens with an
 * empty text only where a text comes first.
 */
export function chatStream(
  kind: UpstreamKind,
  deltas: readonly string[],
  finish: string,
  usage?: ExpectedUsage,
): string {
  const head = `{"id":"<id>","object":"chat.completion.chunk","created":<created>,"model":"attune/${kind}"`;
  const tail = usage === undefined ? "}" : ',"usage":null}';
  const chunk = (delta: string, reason: string): string =>
    `${head},"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${reason}}]${tail}`;
  const content = deltas[0]?.startsWith('{"content":') ? '""' : "null";
  return dataFrames(
    chunk(`{"role":"assistant","content":${content},"refusal":null}`, "null"),
    ...deltas.map((delta) => chunk(delta, "null")),
    chunk("{}", `"${finish}"`),
    ...(usage === undefined ? [] : [`${head},"choices":[],"usage":${chatUsage(usage)}}`]),
    "[DONE]",
  );
}

/** Usage as Responses writes it. */
export function responsesUsage(usage: ExpectedUsage): string {
  const { cacheRead = 0, cacheWrite = 0, output, reasoning = 0 } = usage;
  const input = promptOf(usage);
  return (
    `{"input_tokens":${input},"input_tokens_details":{"cached_tokens":${cacheRead},"cache_write_tokens":${cacheWrite}},` +
    `"output_tokens":${output},"output_tokens_details":{"reasoning_tokens":${reasoning}},"total_tokens":${input + output}}`
  );
}

/** Members of a Response that repeat the request, with the values of a request that says nothing of them. */
const ECHO: Readonly<Record<string, string>> = {
  instructions: "null",
  max_output_tokens: "null",
  parallel_tool_calls: "true",
  reasoning: '{"effort":null,"summary":null}',
  store: "true",
  temperature: "1",
  text: '{"format":{"type":"text"}}',
  tool_choice: '"auto"',
  tools: "[]",
  top_p: "1",
  metadata: "{}",
  prompt_cache_key: "null",
  safety_identifier: "null",
  service_tier: '"default"',
  top_logprobs: "0",
};

/** What a Response is made of. */
export interface ExpectedResponse {
  /** Texts of the output items, with commas between them. */
  readonly output: string;
  /** Null if it is not known: of an answer that failed. */
  readonly usage: ExpectedUsage | null;
  /** Members that repeat the request, where it says something of them. */
  readonly echo?: Readonly<Record<string, string>>;
  /** `completed` where it is not given. */
  readonly status?: string;
  readonly incompleteReason?: string;
  /** Text of the member; null where it is not given. */
  readonly error?: string;
}

function resource(kind: UpstreamKind, response: ExpectedResponse, phase: "begun" | "ended"): string {
  const { status = "completed", incompleteReason, error = "null", usage, echo = {} } = response;
  const said = (name: string): string => `"${name}":${echo[name] ?? ECHO[name]}`;
  const begun = phase === "begun";
  const completedAt = !begun && status === "completed" ? "<created>" : "null";
  const details = begun || incompleteReason === undefined ? "null" : `{"reason":"${incompleteReason}"}`;
  return (
    `{"id":"<id>","object":"response","created_at":<created>,"completed_at":${completedAt},` +
    `"status":"${begun ? "in_progress" : status}","background":false,"error":${begun ? "null" : error},"incomplete_details":${details},` +
    `${said("instructions")},${said("max_output_tokens")},"max_tool_calls":null,"model":"attune/${kind}",` +
    `"output":[${begun ? "" : response.output}],${said("parallel_tool_calls")},"previous_response_id":null,` +
    `${said("prompt_cache_key")},${said("reasoning")},${said("safety_identifier")},${said("service_tier")},` +
    `${said("store")},${said("temperature")},${said("text")},${said("tool_choice")},${said("tools")},` +
    `${said("top_logprobs")},${said("top_p")},"truncation":"disabled","presence_penalty":0,"frequency_penalty":0,` +
    `"usage":${begun || usage === null ? "null" : responsesUsage(usage)},${said("metadata")}}`
  );
}

/** A whole Response. */
export function responsesAnswer(kind: UpstreamKind, response: ExpectedResponse): string {
  return resource(kind, response, "ended");
}

/**
 * A stream of a Response. `events` are those between `response.in_progress` and the last one, each from its second
 * member on without the sequence number: `["response.output_text.delta", '"item_id":"..."']`.
 */
export function responsesStream(
  kind: UpstreamKind,
  response: ExpectedResponse,
  events: readonly (readonly [type: string, members: string])[],
): string {
  const begun = resource(kind, response, "begun");
  const all: (readonly [string, string])[] = [
    ["response.created", `"id":"<id>","response":${begun}`],
    ["response.in_progress", `"response":${begun}`],
    ...events,
    [`response.${response.status ?? "completed"}`, `"response":${resource(kind, response, "ended")}`],
  ];
  const datas = all.map(([type, members], number) => `{"type":"${type}","sequence_number":${number},${members}}`);
  return typedRaw(datas, all) + dataFrames("[DONE]");
}

/** The texts hold placeholders that are no JSON, so that the event's name cannot be read from them. */
function typedRaw(datas: readonly string[], events: readonly (readonly [string, string])[]): string {
  return datas.map((data, position) => `event: ${events[position]?.[0]}\ndata: ${data}\n\n`).join("");
}

/** Usage at the start of a Messages stream: of an upstream that counts only at the end it is an estimate. */
function messagesStartUsage(usage: ExpectedUsage): string {
  const text = messagesUsage(usage);
  return promptOf(usage) === 0 ? text.replace('"input_tokens":0', '"input_tokens":<estimate>') : text;
}

/** Usage as a whole Messages answer writes it. */
export function messagesUsage({
  input,
  cacheRead = 0,
  cacheWrite = 0,
  cacheWrite1h,
  output,
  reasoning,
}: ExpectedUsage): string {
  const [hour, told] = [cacheWrite1h ?? 0, cacheWrite === 0 || cacheWrite1h !== undefined];
  const split = `{"ephemeral_5m_input_tokens":${cacheWrite - hour},"ephemeral_1h_input_tokens":${hour}}`;
  const details = reasoning === undefined ? "null" : `{"thinking_tokens":${reasoning}}`;
  return (
    `{"input_tokens":${input},"cache_creation_input_tokens":${cacheWrite},"cache_read_input_tokens":${cacheRead},` +
    `"cache_creation":${told ? split : "null"},` +
    `"output_tokens":${output},"output_tokens_details":${details},"server_tool_use":null,"service_tier":null,"speed":null,"inference_geo":null}`
  );
}

/** What a Messages answer is made of. */
export interface ExpectedMessage {
  /** Texts of the content blocks, with commas between them. */
  readonly content: string;
  readonly stopReason: string;
  readonly stopSequence?: string;
  /** Text of the member; null where it is not given. */
  readonly stopDetails?: string;
  readonly usage: ExpectedUsage;
}

/** A whole Messages answer. */
export function messagesAnswer(
  kind: UpstreamKind,
  { content, stopReason, stopSequence, stopDetails = "null", usage }: ExpectedMessage,
): string {
  const sequence = stopSequence === undefined ? "null" : JSON.stringify(stopSequence);
  return (
    `{"id":"<id>","type":"message","role":"assistant","model":"attune/${kind}","content":[${content}],` +
    `"stop_reason":"${stopReason}","stop_sequence":${sequence},"stop_details":${stopDetails},"container":null,"diagnostics":null,` +
    `"usage":${messagesUsage(usage)}}`
  );
}

/** The event that starts a Messages stream. */
export function messageStart(kind: UpstreamKind, usage: ExpectedUsage): string {
  return (
    `{"type":"message_start","id":"<id>","message":{"id":"<id>","type":"message","role":"assistant","model":"attune/${kind}",` +
    `"content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,` +
    `"usage":${messagesStartUsage(usage)}}}`
  );
}

/**
 * A stream of a Messages answer. `frames` are the events between message_start and message_delta, whole; a `startUsage`
 * without input says that the upstream has not counted it by then.
 */
export function messagesStream(
  kind: UpstreamKind,
  { stopReason, stopSequence, stopDetails = "null", usage }: Omit<ExpectedMessage, "content">,
  { startUsage, frames }: { readonly startUsage: ExpectedUsage; readonly frames: readonly string[] },
): string {
  const sequence = stopSequence === undefined ? "null" : JSON.stringify(stopSequence);
  const { input, cacheRead = 0, cacheWrite = 0, output, reasoning } = usage;
  const details = reasoning === undefined ? "null" : `{"thinking_tokens":${reasoning}}`;
  return typedFrames(
    messageStart(kind, startUsage),
    ...frames,
    `{"type":"message_delta","delta":{"stop_reason":"${stopReason}","stop_sequence":${sequence},"stop_details":${stopDetails},` +
      `"container":null},"usage":{"input_tokens":${input},"cache_creation_input_tokens":${cacheWrite},` +
      `"cache_read_input_tokens":${cacheRead},"output_tokens":${output},"output_tokens_details":${details},"server_tool_use":null}}`,
    '{"type":"message_stop"}',
  );
}
