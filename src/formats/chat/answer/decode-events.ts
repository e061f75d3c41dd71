import { Dialect, type Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { finishedEvent, startedEvent } from "../../../hub/events.ts";
import { brokenAnswer, textAt } from "../../shared/broken-answer.ts";
import { decodeOpenAiErrorObject } from "../../shared/decode-openai-error.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { LateMembers } from "../../shared/late-members.ts";
import type { AnswerContext, EventDecoder, KnownFacts } from "../../shared/protocol.ts";
import { readEnd } from "../../shared/read-end.ts";
import type { SseMessage } from "../../shared/sse.ts";
import { BlockWriter, type TextPiece } from "./block-writer.ts";
import { readOlderCall } from "./call-forms.ts";
import { CallReader } from "./call-reader.ts";
import { ChoicesDecoder } from "./choices-decoder.ts";
import { type AnnotationPiece, annotationsOf, listOf, readContentParts } from "./content-reader.ts";
import { decodeFinish, decodeUsage, findUsage, hasTokens, withBilling } from "./decode-finish.ts";
import { isError, parseChunk } from "./parse-chunk.ts";
import { ReasoningReader, withoutReadBlocks } from "./reasoning-reader.ts";

/** `obfuscation` is padding, and says nothing. */
const KNOWN_CHUNK = new Set(["id", "object", "created", "model", "choices", "usage", "obfuscation", "error"]);
/**
 * Perplexity says both: in a stream, `message` repeats all that the deltas said so far. Moonshot has the usage here, and
 * servers that answer as legacy completions do the text.
 */
const KNOWN_CHOICE = new Set(["index", "delta", "message", "finish_reason", "logprobs", "usage", "text"]);
const KNOWN_DELTA = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "reasoning_content",
  "reasoning",
  "reasoning_text",
  "thinking",
  "reasoning_details",
]);

const KNOWN_LOGPROBS: ReadonlySet<string> = new Set(["content", "refusal"]);
const KNOWN_ANNOTATED: ReadonlySet<string> = new Set([...KNOWN_DELTA, "annotations"]);

/** Texts of a message, by its members. */
const TEXTS = { content: "text", refusal: "refusal" } as const;
const NAMES = ["content", "refusal"] as const;

const NOTHING: ReadonlySet<string> = new Set();
/** Ends that leave the last call incomplete. */
const CUT: ReadonlySet<FinishReason> = new Set([FinishReason.LENGTH, FinishReason.CONTEXT_WINDOW]);

/**
 * Creates the decoder of one answer. For callers of another format than Chat, reasoning that its maker did not seal
 * gets an empty sealed form: with its origin it comes back here, where it can be read, and goes nowhere else.
 */
export function createEventDecoder(caller: Dialect, context: AnswerContext = {}): EventDecoder {
  const { choices = 1 } = context;
  const create = (): EventDecoder => new ChatDecoder(caller === Dialect.CHAT, context);
  return choices > 1 ? new ChoicesDecoder(choices, create) : create();
}

class ChatDecoder implements EventDecoder {
  readonly #isNative: boolean;
  readonly #context: AnswerContext;
  readonly #profile: KnownFacts;
  readonly #writer: BlockWriter;
  readonly #calls: CallReader;
  readonly #reasoning = new ReasoningReader();
  /** The text that came while a call was open; it is written when the calls have ended. */
  #held: (TextPiece | AnnotationPiece)[] = [];
  #state: "new" | "started" | "finished" = "new";
  /** Member of a choice that says something: a whole answer is like a stream of one chunk but for its name. */
  #member: "delta" | "message" = "delta";
  /** True once a delta said something; where none did, the last chunk's message does. */
  #hasSaid = false;
  /** The text of a stream that has messages in place of deltas, each with the next piece or with all so far. */
  #messages: string | undefined;
  #rawReason: string | undefined;
  #reason: FinishReason = FinishReason.UNSPECIFIED;
  #usage: Usage | undefined;
  #reportedUsage: JsonObject = {};
  #citesPages = false;
  /** Perplexity tells its sources in each chunk. */
  readonly #answer = new LateMembers({ mayRepeat: true });
  readonly #choice = new LateMembers();
  readonly #message = new LateMembers();
  /** Members of log probabilities in other forms than the format's own. */
  readonly #logprobs = new LateMembers();

  constructor(isNative: boolean, context: AnswerContext) {
    this.#isNative = isNative;
    this.#context = context;
    this.#profile = context.profile;
    this.#writer = new BlockWriter({ sealsReasoning: !isNative });
    this.#calls = new CallReader(this.#writer);
  }

  decode({ event, data }: SseMessage): GenerateEvent[] {
    if (this.#state === "finished") return [];
    this.#read(data.trim(), event);
    return this.#writer.take();
  }

  #read(text: string, event: string | undefined): void {
    if (text === "") return;
    if (text === "[DONE]") this.#finish(true);
    else this.#readChunk(parseChunk(text, "an event", this.#profile), event);
  }

  close(): GenerateEvent[] {
    if (this.#state !== "finished") this.#finish(false);
    return this.#writer.take();
  }

  decodeWhole(body: string): GenerateEvent[] {
    this.#member = "message";
    this.#readChunk(parseChunk(body, "it", this.#profile), undefined);
    this.#finish(true);
    return this.#writer.take();
  }

  #readChunk(chunk: JsonObject, event: string | undefined): void {
    if (isError(chunk, event, this.#profile)) throw decodeOpenAiErrorObject(chunk, this.#profile);
    if (this.#state === "new") {
      this.#state = "started";
      const upstreamModel = typeof chunk.model === "string" ? chunk.model : "";
      this.#writer.push(startedEvent({ serving: { upstreamModel } }));
    }
    this.#readUsage(findUsage(chunk));
    this.#answer.collect(chunk, KNOWN_CHUNK);
    const { choices } = chunk;
    if (isJsonObject(choices)) throw brokenAnswer("choices is not a list");
    for (const choice of Array.isArray(choices) ? choices : []) {
      if (!isJsonObject(choice)) throw brokenAnswer("a choice is not an object");
      this.#readChoice(choice);
    }
  }

  #readUsage(told: unknown): void {
    if (typeof told !== "object" || !isJsonObject(told)) return;
    const usage = decodeUsage(told);
    // Some servers end with counts of nothing behind those of the answer.
    if (this.#usage !== undefined && !hasTokens(usage)) return;
    this.#reportedUsage = told;
    this.#usage = usage;
  }

  #readChoice(choice: JsonObject): void {
    const index = Number(choice.index ?? 0);
    if (index !== 0) throw brokenAnswer(`it has a choice with the index ${index}, and one answer was asked for`);
    // OpenRouter says of a choice alone that its provider failed.
    if (choice["error"] !== undefined && isJsonObject(choice["error"]))
      throw decodeOpenAiErrorObject(choice, this.#profile);
    if (choice["usage"] !== undefined) this.#readUsage(choice["usage"]);
    this.#choice.collect(choice, KNOWN_CHOICE);
    const message = choice[this.#member] ?? this.#findMessage(choice);
    // The last chunk may say nothing; a whole answer has a message.
    const saysNothing = this.#member === "delta" && (message === undefined || message === null);
    const hasMessage = isJsonObject(message);
    if (!hasMessage && !saysNothing) throw brokenAnswer(`choices[0].${this.#member} is not an object`);
    const logprobs = isJsonObject(choice.logprobs) ? choice.logprobs : undefined;
    if (logprobs !== undefined) this.#logprobs.collect(logprobs, KNOWN_LOGPROBS);
    this.#readMessage(hasMessage ? message : {}, logprobs);
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
      this.#rawReason = choice.finish_reason;
      this.#reason = readEnd(choice.finish_reason, this.#profile, this.#usage);
    }
  }

  /** Returns the text of a legacy completion, a message of a stream without deltas, or the delta of a whole answer. */
  #findMessage({ delta, message, text }: JsonObject): unknown {
    if (typeof text === "string") return { content: text };
    if (this.#hasSaid && this.#messages === undefined) return undefined;
    if (delta !== undefined && delta !== null) return delta;
    if (message === undefined || !isJsonObject(message) || typeof message.content !== "string") return message;
    const { content } = message;
    const known = this.#messages ?? "";
    const isAll = content.length >= known.length && content.startsWith(known);
    this.#messages = isAll ? content : known + content;
    return { ...message, content: isAll ? content.slice(known.length) : content };
  }

  #readMessage(message: JsonObject, logprobs: JsonObject | undefined): void {
    const annotations = annotationsOf(message);
    const members = this.#isNative ? message : withoutReadBlocks(message);
    this.#message.collect(members, annotations.length > 0 ? KNOWN_ANNOTATED : KNOWN_DELTA);
    if (logprobs !== undefined) this.#attachUnplaced(message, logprobs);
    for (const reasoning of this.#reasoning.read(message, this.#keepReasoning)) this.#say(reasoning);
    for (const name of NAMES) {
      const text = message[name];
      if (text === undefined || text === null || text === "") continue;
      const tokens = logprobs && listOf(logprobs[name]);
      if (typeof text === "string") this.#say({ kind: TEXTS[name], text, logprobs: tokens });
      else if (name === "content" && typeof text === "object") this.#sayParts(text, tokens);
      else textAt(text, name);
    }
    this.#citesPages ||= annotations.some(({ type }) => type === "url_citation");
    for (const annotation of annotations) this.#say({ kind: "annotation", annotation });
    const told = (message.function_call === undefined ? undefined : readOlderCall(message)) ?? message.tool_calls;
    if (told === undefined || told === null) return;
    // Cohere streams one call at a time, outside of a list.
    const calls = isJsonObject(told) ? [told] : told;
    if (!Array.isArray(calls) || !calls.every(isJsonObject)) throw brokenAnswer("tool_calls is not a list of objects");
    this.#hasSaid ||= calls.length > 0;
    if (this.#member === "message") this.#calls.readWhole(calls);
    else this.#calls.read(calls);
  }

  readonly #keepReasoning = (entry: JsonObject): void => {
    this.#message.collect({ reasoning_details: [entry] }, NOTHING);
  };

  /** Log probabilities of a text go with it, and not with the reasoning before it. */
  #attachUnplaced(message: JsonObject, logprobs: JsonObject): void {
    for (const name of NAMES) {
      const hasText =
        (typeof message[name] === "string" && message[name] !== "") || listOf(message[name]) !== undefined;
      if (!hasText) this.#writer.attachLogprobs(listOf(logprobs[name]));
    }
  }

  /** Parts of a type that is not known go with the message, under a name that is not that of its text. */
  #sayParts(parts: unknown, logprobs: readonly unknown[] | undefined): void {
    const keep = (part: JsonObject): void => this.#message.collect({ content_parts: [part] }, NOTHING);
    const pieces = readContentParts(Array.isArray(parts) ? parts : [parts], keep);
    const first = pieces.findIndex(({ kind }) => kind === "text");
    if (first === -1) this.#writer.attachLogprobs(logprobs);
    for (const [index, piece] of pieces.entries()) this.#say(index === first ? { ...piece, logprobs } : piece);
  }

  #say(piece: TextPiece | AnnotationPiece): void {
    this.#hasSaid = true;
    if (!this.#calls.settle()) this.#hold(piece);
    else {
      if (this.#held.length > 0) this.#release();
      this.#write(piece);
    }
  }

  #write(piece: TextPiece | AnnotationPiece): void {
    if (piece.kind === "annotation") this.#writer.annotate(piece.annotation);
    else this.#writer.say(piece);
  }

  #hold(piece: TextPiece | AnnotationPiece): void {
    const last = this.#held.at(-1);
    const mayJoin = piece.kind === "text" || piece.kind === "refusal" || piece.kind === "thinking";
    if (mayJoin && last?.kind === piece.kind && piece.logprobs === undefined)
      this.#held[this.#held.length - 1] = { ...last, text: last.text + piece.text };
    else this.#held.push(piece);
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const piece of held) this.#write(piece);
  }

  get #billedUsage(): Usage | undefined {
    const beside = { answer: this.#answer.all, told: this.#reportedUsage, terms: this.#context.terms };
    return withBilling(this.#usage, { ...beside, citesPages: this.#citesPages });
  }

  /**
   * Some servers give no reason. An answer that says something is complete without one if it came whole, or if its
   * stream has its mark of the end and the counts, or calls that are complete: one that broke off has neither.
   */
  #endsWithoutReason(isMarked: boolean): boolean {
    if (!isMarked || !this.#hasSaid) return false;
    if (this.#member === "message" || (this.#usage !== undefined && hasTokens(this.#usage))) return true;
    return this.#calls.count > 0 && this.#calls.settle();
  }

  #finish(isMarked: boolean): void {
    if (this.#rawReason === undefined && this.#endsWithoutReason(isMarked)) {
      this.#rawReason = "";
      this.#reason = FinishReason.STOP;
    }
    const rawReason = this.#rawReason;
    if (rawReason === undefined) {
      const message = "the upstream's answer ended before its finish_reason";
      const usage = this.#billedUsage;
      throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, message, { usage });
    }
    this.#calls.finish(CUT.has(this.#reason));
    this.#release();
    this.#writer.finish();
    const { count, knownCount } = this.#calls;
    // Callers of another format are not told to make calls that they are not shown.
    const isUnshown = !this.#isNative && count > 0 && knownCount === 0;
    if (!this.#logprobs.isEmpty) this.#choice.put("logprobs", this.#logprobs.all);
    const members = { answer: this.#answer.all, choice: this.#choice.all, message: this.#message.all };
    const usage = this.#billedUsage;
    const end = { rawReason, reason: this.#reason, calls: isUnshown ? 0 : count, usage, context: this.#context };
    this.#writer.push(finishedEvent(decodeFinish({ ...end, ...members })));
    this.#state = "finished";
  }
}
