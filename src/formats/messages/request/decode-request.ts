import type { IncomingHttpHeaders } from "node:http";
import { Dialect, ReasoningSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { createHubInput, type HubInput } from "../../../hub/input.ts";
import { checkCarried } from "../../shared/carried-member.ts";
import type { DecodedRequest } from "../../shared/codec.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { readPlainFields } from "../../shared/plain-fields.ts";
import { optional, readArray, readBoolean, readInteger, readObject, readString, WireError } from "../../shared/read.ts";
import { messagesJson } from "../raw-json.ts";
import { checkApiVersion, readApiVersion } from "./api-version.ts";
import { CARRIED } from "./carried-members.ts";
import { BlockDecoder } from "./decode-block.ts";
import { checkCacheMarks, decodeCacheControl, type PlacedCacheMark } from "./decode-cache-control.ts";
import { decodeMessages, decodeThread } from "./decode-messages.ts";
import { decodeOutputConfig, decodeReasoning } from "./decode-output-config.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";

const KNOWN = knownMembers("messages", [InferenceInputSchema, ReasoningSchema], { further: ["stream"] });
const METADATA_KNOWN = knownMembers("messages", [InferenceInputSchema], { path: "metadata" });

/** Decodes the body of POST /v1/messages, in the version of the API that the headers name. Throws WireError. */
export function decodeRequest(body: JsonObject, headers: IncomingHttpHeaders = {}): DecodedRequest {
  const input = decodeInput(body, headers);
  const stream = optional(body["stream"], "stream", readBoolean) ?? false;
  input.maxOutputTokens = decodeMaxTokens(body["max_tokens"], stream);
  return { input, stream, body };
}

/** Decodes the body of POST /v1/messages/count_tokens, which says nothing of the answer's form. Throws WireError. */
export function decodeCountRequest(body: JsonObject, headers: IncomingHttpHeaders = {}): HubInput {
  const input = decodeInput(body, headers);
  optional(body["stream"], "stream", readBoolean);
  optional(body["max_tokens"], "max_tokens", readInteger, { min: 0 });
  return input;
}

function decodeInput(received: JsonObject, headers: IncomingHttpHeaders): HubInput {
  const body = withOutputConfig(received);
  const version = readApiVersion(headers);
  const model = readString(body["model"], "model");
  if (model === "") throw new WireError("model", "must not be empty");
  const input = createHubInput({ model, dialect: Dialect.MESSAGES });
  decodeThread(body, input);
  const nested = { ...decodePrompt(body, input), ...decodeOptions(body, input) };
  decodeSampling(body, input);
  checkApiVersion(body, version);
  const extension = messagesJson({ ...extraMembers(body, KNOWN), ...nested });
  if (extension !== undefined && extension.json !== "{}") input.extension = extension;
  return input;
}

/** Reads `output_format`, under which the beta of structured outputs had what is `output_config.format` today. */
function withOutputConfig(body: JsonObject): JsonObject {
  if (body["output_format"] === undefined) return body;
  const { output_format: format, ...rest } = body;
  const { output_config: config = {} } = rest;
  const isRead = isJsonObject(format) && format["type"] === "json_schema" && isJsonObject(format["schema"]);
  if (!isRead || !isJsonObject(config) || config["format"] !== undefined) return body;
  return { ...rest, output_config: { ...config, format } };
}

/** Zero is the documented way to fill the prompt cache without an answer; a stream of nothing is not offered. */
function decodeMaxTokens(value: unknown, stream: boolean): number {
  const maxTokens = readInteger(value, "max_tokens", { min: 0 });
  if (maxTokens > 0 || !stream) return maxTokens;
  throw new WireError("max_tokens", "must be at least 1 in a stream; 0 fills the prompt cache, without a stream");
}

/**
 * Decodes what the prompt is made of, in its order, which is the order of the cache marks. Like decodeOptions, it
 * returns the members inside members that the hub does not know.
 */
function decodePrompt(body: JsonObject, input: HubInput): JsonObject {
  const marks: PlacedCacheMark[] = [];
  const blocks = new BlockDecoder(marks);
  const system = body["system"] ?? undefined;
  input.tools = decodeTools(body["tools"], marks);
  if (system !== undefined) input.system = blocks.decodeContent(system, "system", "system");
  input.messages = decodeMessages(body["messages"], blocks, input.previousId !== undefined);
  const automatic = decodeCacheControl(body, "", marks);
  checkCacheMarks(marks);
  if (automatic !== undefined) input.automaticCacheMark = automatic.mark;
  return automatic?.rest === undefined ? {} : { cache_control: automatic.rest };
}

function decodeSampling(body: JsonObject, input: HubInput): void {
  Object.assign(input, readPlainFields("messages", body));
  const stops = optional(body["stop_sequences"], "stop_sequences", readArray) ?? [];
  input.stopSequences = stops.map((value, index) => {
    const path = `stop_sequences[${index}]`;
    const sequence = readString(value, path);
    if (sequence === "") throw new WireError(path, "must not be empty; leave it out");
    return sequence;
  });
}

function decodeOptions(body: JsonObject, input: HubInput): JsonObject {
  checkCarried(body, CARRIED);
  const metadata = optional(body["metadata"], "metadata", readObject);
  input.endUserId = optional(metadata?.["user_id"], "metadata.user_id", readString);
  const choice = decodeToolChoice(body["tool_choice"]);
  if (choice !== undefined) input.toolChoice = choice.toolChoice;
  input.parallelToolCalls = choice?.parallelToolCalls;
  const config = decodeOutputConfig(body["output_config"]);
  const reasoning = decodeReasoning(body["thinking"], config?.effort);
  if (reasoning !== undefined) input.reasoning = reasoning;
  if (config?.format !== undefined) input.outputFormat = config.format;
  const metadataRest = metadata === undefined ? undefined : extraMembers(metadata, METADATA_KNOWN);
  return {
    ...(metadataRest === undefined ? {} : { metadata: metadataRest }),
    ...(config?.rest === undefined ? {} : { output_config: config.rest }),
  };
}
