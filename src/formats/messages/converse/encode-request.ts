import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { ConverseAbilities } from "../../../hub/converse-abilities.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { UpstreamTarget } from "../../../hub/upstream.ts";
import { saysNothing } from "../../shared/is-default-value.ts";
import { definedMembers, isJsonObject, type JsonObject, toObject } from "../../shared/json.ts";
import { LossList } from "../../shared/losses.ts";
import type { EncodedRequest } from "../../shared/protocol.ts";
import { findWord } from "../../shared/words.ts";
import { EFFORT_WORDS } from "../reasoning-words.ts";
import { automaticMark } from "../request/cache-marks.ts";
import { encodeRequest as encodeMessagesRequest } from "../request/encode-request.ts";
import { BodyLosses } from "./body-losses.ts";
import { CachePoints } from "./cache-points.ts";
import { BlockEncoder } from "./encode-blocks.ts";
import { type ConverseMessage, encodeMessages } from "./encode-messages.ts";
import { encodeOutputConfig } from "./encode-output-config.ts";
import { encodeTools } from "./encode-tools.ts";

/** Members of Messages that are read here; any other is a loss. */
const READ: ReadonlySet<string> = new Set([
  ...["model", "stream", "max_tokens", "temperature", "top_p", "stop_sequences"],
  ...["system", "messages", "tools", "tool_choice", "cache_control", "output_config"],
]);

/** The hub's names of members of Messages that Converse has not. */
const PLACES: Readonly<Record<string, string>> = { top_k: "top_k", metadata: "end_user_id" };

/**
 * Encodes a request as the body of Converse or ConverseStream, for models of some abilities. Throws INVALID_REQUEST for
 * what must be refused by name.
 */
export function encodeRequest(input: HubInput, target: UpstreamTarget, abilities: ConverseAbilities): EncodedRequest {
  // Thinking does not go out, so that nothing has to be left out beside it, such as a temperature.
  const model = { ...target.model, thinking: "none" as const };
  const { body, losses: lost } = encodeMessagesRequest(input, { ...target, model, cachedParts: undefined });
  const effort = abilities.effort ? findWord(EFFORT_WORDS, input.reasoning?.effort) : undefined;
  const losses = new LossList(undefined, input);
  for (const place of lost) if (effort === undefined || place !== "reasoning.effort") losses.at(place);
  if (effort === undefined && input.reasoning?.effort) losses.at("reasoning.effort");
  const config = { ...toObject(body["output_config"]), ...(effort !== undefined && { effort }) };
  const outputConfig = encodeOutputConfig(config, abilities, losses);
  loseOthers(body, input, losses);
  if (input.betas.length > 0) losses.at("betas");
  const bodyLosses = new BodyLosses(losses, input, body);
  const points = new CachePoints(abilities.cachePoints);
  const blocks = new BlockEncoder(bodyLosses, { points, takesCitations: abilities.citations });
  const messages = encodeMessages(body, blocks);
  markEnd(messages, body["cache_control"], { input, points, losses });
  const system = blocks.list(body["system"], "system");
  const inferenceConfig = definedMembers({
    maxTokens: body["max_tokens"],
    temperature: body["temperature"],
    topP: body["top_p"],
    stopSequences: body["stop_sequences"],
  });
  const toolFacts = { losses, bodyLosses, points, takesStrict: abilities.structuredOutput, called: blocks.called };
  const others = definedMembers({ toolConfig: encodeTools(body, toolFacts), outputConfig });
  return {
    body: { messages, ...(system.length > 0 && { system }), inferenceConfig, ...others },
    losses: losses.places,
  };
}

interface MarkFacts {
  readonly input: HubInput;
  readonly points: CachePoints;
  readonly losses: LossList;
}

/** The request's own mark is a point behind its last block; one that stands there already has its lifetime. */
function markEnd(messages: readonly ConverseMessage[], mark: unknown, { input, points, losses }: MarkFacts): void {
  const place = automaticMark(input)?.place ?? "automatic_cache_mark";
  const [point] = points.inPrompt(mark, { path: "", place, losses });
  const content = messages.at(-1)?.content;
  if (point === undefined || content === undefined) return;
  const { cachePoint: before } = content.at(-1) ?? {};
  if (before === undefined) content.push(point);
  else if (isJsonObject(before) && before["ttl"] === undefined) content.splice(-1, 1, point);
  else if (JSON.stringify(before) !== JSON.stringify(point["cachePoint"])) losses.at(`${place}.ttl`);
}

/** Names the members of a request that Converse has no place for. */
function loseOthers(body: JsonObject, input: HubInput, losses: LossList): void {
  for (const [name, value] of Object.entries(body)) {
    if (READ.has(name) || value === undefined || saysNothing(name, value)) continue;
    if (name === "thinking" && isJsonObject(value)) loseThinking(value, input, losses);
    else losses.at(PLACES[name] ?? `extension.${name}`);
  }
}

function loseThinking(
  { type: _type, budget_tokens, display, ...others }: JsonObject,
  { dialect }: HubInput,
  losses: LossList,
): void {
  losses.at("reasoning.mode");
  // Callers of the OpenAI formats have efforts alone.
  if (dialect === Dialect.CHAT || dialect === Dialect.RESPONSES) losses.at("reasoning.effort");
  if (budget_tokens !== undefined) losses.at("reasoning.budget_tokens");
  if (display !== undefined) losses.at("reasoning.display");
  for (const name of Object.keys(others)) losses.member("reasoning", name);
}
