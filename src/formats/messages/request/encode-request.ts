import { InferenceError } from "../../../hub/error.ts";
import type { HubInput } from "../../../hub/input.ts";
import { type CachedParts, UNKNOWN_TOKENS } from "../../../hub/upstream.ts";
import { checkReferences } from "../../shared/check-references.ts";
import { nameSearch, searchMembers } from "../../shared/hosted-tools/web-search.ts";
import { isJsonObject, type JsonObject, mergeMembers } from "../../shared/json.ts";
import type { EncodedRequest, EncodeTarget } from "../../shared/protocol.ts";
import { askThinking, fitSampling, type ThinkingFacts, withoutLostThinking, withoutSampling } from "./ask-thinking.ts";
import { automaticMark, encodeExtension } from "./cache-marks.ts";
import { plainContent } from "./encode-block.ts";
import { EncodeContext } from "./encode-context.ts";
import { type EncodedPrompt, encodePrompt, WholeMessage } from "./encode-messages.ts";
import { encodeOutputConfig, encodeSampling, encodeThinkingConfig } from "./encode-options.ts";
import { encodeToolChoice, encodeTools, SEARCH_OPTIONS } from "./encode-tools.ts";
import { markParts, type PromptBlocks } from "./mark-parts.ts";

/** Members that bear on the answer alone: those who count a prompt do not take them. */
const ANSWER_MEMBERS = [
  "max_tokens",
  "stop_sequences",
  "temperature",
  "top_p",
  "top_k",
  "metadata",
  "container",
  "service_tier",
  "inference_geo",
  "diagnostics",
];

/** The limit that the format requires, for a model whose own is unknown. Claude models take as many since 3.5. */
const USUAL_LIMIT = 8192;

/** Encodes a request as the body of POST /v1/messages. Throws INVALID_REQUEST for what must be refused by name. */
export function encodeRequest(input: HubInput, target: EncodeTarget): EncodedRequest {
  const { maxOutputTokens } = target.model;
  const maxTokens = input.maxOutputTokens ?? (maxOutputTokens === UNKNOWN_TOKENS ? USUAL_LIMIT : maxOutputTokens);
  if (target.streamed) checkMaxTokens(maxTokens);
  const context = new EncodeContext(input, target);
  return finishRequest(encodeBody(input, factsOf(target, maxTokens), context), input, context);
}

/** Encodes a request as the body of POST /v1/messages/count_tokens. Throws INVALID_REQUEST as encodeRequest() does. */
export function encodeCountRequest(input: HubInput, target: EncodeTarget): EncodedRequest {
  const context = new EncodeContext(input, target);
  const { maxOutputTokens } = target.model;
  const body = encodeBody(input, { ...factsOf(target, maxOutputTokens), streamed: false }, context);
  for (const name of ANSWER_MEMBERS) delete body[name];
  return finishRequest(body, input, context);
}

interface BodyFacts extends ThinkingFacts {
  readonly model: string;
  readonly streamed: boolean;
  readonly cachedParts: CachedParts | undefined;
  readonly minCacheableTokens: number;
  readonly mixesResults: boolean;
}

function factsOf({ deployment, model, streamed, cachedParts, profile }: EncodeTarget, maxTokens: number): BodyFacts {
  const { minCacheableTokens, thinking: form = "adaptive" } = model;
  const mixesResults = profile?.mixesResults ?? true;
  return { model: deployment.model, form, maxTokens, streamed, cachedParts, minCacheableTokens, mixesResults };
}

function encodeBody(
  request: HubInput,
  { model, maxTokens, streamed, form, cachedParts, minCacheableTokens, mixesResults }: BodyFacts,
  context: EncodeContext,
): JsonObject {
  checkReferences(request);
  const input = withoutLostThinking(nameSearch(request, context.search), context);
  const tools = encodeTools(input, context);
  const prompt = encodePrompt(input, context);
  const toolChoice = encodeToolChoice(input, tools, context);
  const automatic = context.marks.settle(automaticMark(input));
  if (cachedParts !== undefined && automatic === undefined)
    context.hasMarkedParts = markParts(getBlocks(prompt, tools), cachedParts, minCacheableTokens) > 0;
  const wanted = askThinking(input, { form, maxTokens }, context);
  const thinking = wanted === undefined ? encodeThinkingConfig(input.reasoning, context) : wanted.thinking;
  const body: JsonObject = {
    model,
    max_tokens: maxTokens,
    ...finishPrompt(prompt, mixesResults),
    ...(tools.length > 0 ? { tools } : {}),
    ...given("tool_choice", toolChoice),
    ...encodeSampling(wanted?.thinks ? withoutSampling(input, context) : fitSampling(input, model, context), context),
    ...given("thinking", thinking),
    ...given("output_config", encodeOutputConfig(input, wanted, context)),
    ...given("cache_control", automatic),
    ...(streamed ? { stream: true } : {}),
  };
  return mergeMembers(body, encodeExtension(input, context.losses, searchMembers(context.search, SEARCH_OPTIONS)));
}

function finishRequest(body: JsonObject, input: HubInput, context: EncodeContext): EncodedRequest {
  const marks = betaMarks(body, input.betas);
  const headers = marks.length === 0 ? {} : { headers: { "anthropic-beta": marks.join(",") } };
  const optimizations = context.hasMarkedParts ? { optimizations: ["cache-marks"] } : {};
  return { body, losses: context.losses.places, ...headers, ...optimizations };
}

/** Anthropic fills its cache without an answer only where no stream is asked for. */
function checkMaxTokens(maxTokens: number): void {
  if (maxTokens > 0) return;
  throw InferenceError.invalid(
    "max_output_tokens",
    "0, which fills the prompt cache without an answer, is possible only where the upstream is not asked for " +
      "a stream; ask for at least 1 token",
  );
}

function getBlocks({ system, messages }: EncodedPrompt, tools: readonly JsonObject[]): PromptBlocks {
  const blocks = messages.map((message) =>
    message instanceof WholeMessage
      ? { role: undefined, content: [] }
      : { role: message["role"], content: message.content },
  );
  return { tools, system, messages: blocks };
}

function finishPrompt({ system, messages }: EncodedPrompt, mixesResults: boolean): JsonObject {
  const finished = messages.flatMap((message) => {
    if (message instanceof WholeMessage) return [message.json];
    const contents = mixesResults ? [message.content] : splitResults(message.content);
    return contents.map((content) => ({ ...message, content: plainContent(content) }));
  });
  return { ...(system.length > 0 ? { system: plainContent(system) } : {}), messages: finished };
}

/** Parts the results of tools from the text behind them, for a server that would read that first. */
function splitResults(content: readonly JsonObject[]): JsonObject[][] {
  const count = content.findLastIndex(({ type }) => type === "tool_result") + 1;
  return [content.slice(0, count), content.slice(count)].filter(({ length }) => length > 0);
}

function given(name: string, value: JsonObject | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

/** Members of a request that Anthropic takes only with a mark, as the official SDK's list of marks names them. */
const MARKS: Readonly<Record<string, string>> = {
  context_management: "context-management-2025-06-27",
  mcp_servers: "mcp-client-2025-11-20",
};
const FAST_MODE = "fast-mode-2026-02-01";
const TASK_BUDGETS = "task-budgets-2026-03-13";

/** Returns the `anthropic-beta` marks that the caller asked for and that the members of a request call for. */
export function betaMarks(body: JsonObject, requested: readonly string[]): string[] {
  const needed = Object.keys(MARKS).flatMap((name) => (body[name] === undefined ? [] : (MARKS[name] ?? [])));
  if (body["speed"] === "fast") needed.push(FAST_MODE);
  const config = body["output_config"];
  if (isJsonObject(config) && config["task_budget"] !== undefined) needed.push(TASK_BUDGETS);
  return [...new Set([...requested, ...needed])];
}
