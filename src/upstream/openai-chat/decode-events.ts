import { Dialect, type Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../inference/error.ts";
import { finishedEvent, startedEvent } from "../../inference/events.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../wire/json.ts";
import type { SseMessage } from "../../wire/sse.ts";
import { KeptMembers } from "../kept-members.ts";
import { decodeOpenAiErrorObject } from "../openai-error.ts";
import type { EventDecoder } from "../protocol.ts";
import { BlockWriter, type Said } from "./block-writer.ts";
import { CallReader } from "./call-reader.ts";
import { decodeFinish } from "./decode-finish.ts";
import { decodeUsage } from "./decode-usage.ts";
import { ReasoningReader } from "./reasoning-reader.ts";

/** `obfuscation` is padding, and says nothing. */
const KNOWN_CHUNK = new Set(["id", "object", "created", "model", "choices", "usage", "obfuscation", "error"]);
const KNOWN_CHOICE = new Set(["index", "delta", "finish_reason", "logprobs"]);
const KNOWN_DELTA = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "reasoning_content",
  "reasoning",
  "reasoning_details",
]);

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Creates the decoder of one stream of chunks. For callers of another format than Chat, reasoning that its maker did not seal gets
 * an empty sealed form: with its origin it comes back here, where it can be read, and goes nowhere else.
 */
export function createEventDecoder(caller: Dialect): EventDecoder {
  return new ChunkDecoder(new BlockWriter({ sealsReasoning: caller !== Dialect.CHAT }));
}

class ChunkDecoder implements EventDecoder {
  readonly #writer: BlockWriter;
  readonly #calls: CallReader;
  readonly #reasoning = new ReasoningReader();
  /** What was said while a call was open: it is written when the calls have ended. */
  #held: Said[] = [];
  #state: "new" | "started" | "finished" = "new";
  #rawReason: string | undefined;
  #usage: Usage | undefined;
  readonly #answer = new KeptMembers();
  readonly #choice = new KeptMembers();
  readonly #message = new KeptMembers();

  constructor(writer: BlockWriter) {
    this.#writer = writer;
    this.#calls = new CallReader(writer);
  }

  decode({ event, data }: SseMessage): GenerateEvent[] {
    const text = data.trim();
    if (this.#state === "finished" || text === "") return [];
    if (text === "[DONE]") this.#finish();
    else this.#readChunk(parseChunk(text), event);
    return this.#writer.take();
  }

  close(): GenerateEvent[] {
    if (this.#state !== "finished") this.#finish();
    return this.#writer.take();
  }

  #readChunk(chunk: JsonObject, event: string | undefined): void {
    if (isError(chunk, event)) throw decodeOpenAiErrorObject(chunk);
    if (this.#state === "new") {
      this.#state = "started";
      const upstreamModel = typeof chunk.model === "string" ? chunk.model : "";
      this.#writer.push(startedEvent({ serving: { upstreamModel } }));
    }
    if (isJsonObject(chunk.usage)) this.#usage = decodeUsage(chunk.usage);
    this.#answer.collect(chunk, KNOWN_CHUNK);
    for (const choice of Array.isArray(chunk.choices) ? chunk.choices : []) {
      if (isJsonObject(choice)) this.#readChoice(choice);
    }
  }

  #readChoice(choice: JsonObject): void {
    const index = choice.index ?? 0;
    if (index !== 0) throw broken(`it has a choice with the index ${String(index)}, and one answer was asked for`);
    this.#choice.collect(choice, KNOWN_CHOICE);
    this.#readLogprobs(choice.logprobs);
    if (isJsonObject(choice.delta)) this.#readDelta(choice.delta);
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
      if (choice.finish_reason === "error") throw failed();
      this.#rawReason = choice.finish_reason;
    }
  }

  #readDelta(delta: JsonObject): void {
    this.#message.collect(delta, KNOWN_DELTA);
    const keep = (entry: JsonObject): void => this.#message.collect({ reasoning_details: [entry] }, NOTHING);
    for (const said of this.#reasoning.read(delta, keep)) this.#say(said);
    for (const [kind, text] of [["text", delta.content] as const, ["refusal", delta.refusal] as const]) {
      if (typeof text === "string" && text !== "") this.#say({ kind, text });
    }
    if (Array.isArray(delta.tool_calls)) this.#calls.read(delta.tool_calls);
  }

  #readLogprobs(logprobs: unknown): void {
    if (!isJsonObject(logprobs)) return;
    for (const tokens of [logprobs.content, logprobs.refusal]) {
      if (Array.isArray(tokens)) this.#writer.attachLogprobs(tokens);
    }
  }

  #say(said: Said): void {
    if (!this.#calls.settle()) this.#hold(said);
    else {
      this.#release();
      this.#writer.say(said);
    }
  }

  #hold(said: Said): void {
    const last = this.#held.at(-1);
    const joins =
      last?.kind === said.kind && (said.kind === "text" || said.kind === "refusal" || said.kind === "thinking");
    if (joins) this.#held[this.#held.length - 1] = { ...last, text: last.text + said.text };
    else this.#held.push(said);
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const said of held) this.#writer.say(said);
  }

  #finish(): void {
    const rawReason = this.#rawReason;
    if (rawReason === undefined) {
      const message = "the upstream's stream ended before its finish_reason";
      throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, message, { usage: this.#usage });
    }
    this.#calls.finish();
    this.#release();
    this.#writer.finish();
    const end = { rawReason, calls: this.#calls.count, usage: this.#usage };
    const members = { answer: this.#answer.all, choice: this.#choice.all, message: this.#message.all };
    this.#writer.push(finishedEvent(decodeFinish({ ...end, ...members })));
    this.#state = "finished";
  }
}

function isError(chunk: JsonObject, event: string | undefined): boolean {
  if (chunk.error !== undefined && chunk.error !== null) return true;
  return event === "error" || chunk.object === "error" || (chunk.choices === undefined && chunk.detail !== undefined);
}

function parseChunk(text: string): JsonObject {
  let chunk: unknown;
  try {
    chunk = parseJson(text);
  } catch (cause) {
    throw broken("an event is not JSON", cause);
  }
  if (!isJsonObject(chunk)) throw broken("an event is not a JSON object");
  return chunk;
}

function broken(problem: string, cause?: unknown): InferenceError {
  return new InferenceError(ErrorReason.STREAM_INTERRUPTED, `the upstream's stream is broken: ${problem}`, { cause });
}

/** The upstream says itself that it failed, and nothing of why. */
function failed(): InferenceError {
  return new InferenceError(ErrorReason.UPSTREAM_ERROR, "the upstream's stream ends with the reason 'error'");
}
