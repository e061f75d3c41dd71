import { create } from "@bufbuild/protobuf";
import {
  type Annotation,
  Dialect,
  type RawJson,
  RawJsonSchema,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  BlockEndSchema,
  type GenerateEvent,
  GenerateEventSchema,
  SummaryDeltaSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { blockDeltaEvent, blockStartEvent } from "../../../hub/events.ts";
import { StringBuilder } from "../../../lib/string-builder.ts";
import { brokenAnswer, calledName, textAt } from "../../shared/broken-answer.ts";
import { extraMembers, isJsonObject, type JsonObject, parseJsonObject, toText } from "../../shared/json.ts";
import { RestOfArguments } from "../../shared/rest-of-arguments.ts";
import { decodePageCitation } from "../citations.ts";
import { messagesJson } from "../raw-json.ts";

/** Members of each kind of block that the hub knows. */
const BLOCK_KNOWN = {
  text: new Set(["type", "text"]),
  thinking: new Set(["type", "thinking", "signature"]),
  redacted_thinking: new Set(["type", "data"]),
  tool_use: new Set(["type", "id", "name", "input"]),
} as const;

/** Member that each kind of delta brings. */
const DELTA_TEXT = { text_delta: "text", thinking_delta: "thinking", input_json_delta: "partial_json" } as const;

/** Citations of one text that wait for its end; further ones cite what of it has come. */
const MOST_WAITING = 1000;

type KnownType = keyof typeof BLOCK_KNOWN;

/** A block of an answer while it comes. */
export class OpenBlock {
  readonly #content: JsonObject;
  readonly #index: number;
  /** True for callers of this format, who have its citations as they are. */
  readonly #isNative: boolean;
  /** Undefined for a block of a type that the hub does not know. */
  readonly #type: KnownType | undefined;
  #signature = "";
  #hasArguments = false;
  /** The arguments so far. */
  readonly #arguments = new StringBuilder();
  readonly #rest = new RestOfArguments();
  /** Of a block that the hub does not know: the pieces of its input. */
  #input = "";
  /** Of a block that the hub does not know: members that its deltas bring. */
  #members: JsonObject = {};
  /** Characters of the text so far. */
  #length = 0;
  /** Citations of pages, which may come before the text that they are of. */
  #citations: JsonObject[] = [];

  constructor(content: JsonObject, { index, isNative }: { readonly index: number; readonly isNative: boolean }) {
    this.#content = content;
    this.#index = index;
    this.#isNative = isNative;
    const { type } = content;
    this.#type = typeof type === "string" && Object.hasOwn(BLOCK_KNOWN, type) ? (type as KnownType) : undefined;
  }

  get isCall(): boolean {
    return this.#type === "tool_use";
  }

  /** True for a block of a type that the hub does not know. */
  get isOpaque(): boolean {
    return this.#type === undefined;
  }

  /** Tells whether deltas of a type of block belong here; one of a type that the hub does not know takes any. */
  takes(type: KnownType): boolean {
    return this.#type === undefined || this.#type === type;
  }

  /** Returns the block's start, with what it may already hold as a first delta. */
  start(): GenerateEvent[] {
    const type = this.#type;
    const content = this.#content;
    if (type === undefined) return [this.#opaqueStart()];
    if (type === "text") return this.#startText(content);
    const extension = messagesJson(extraMembers(content, BLOCK_KNOWN[type]));
    switch (type) {
      case "thinking":
        this.#signature = toText(content["signature"]);
        return [
          blockStartEvent(this.#index, { kind: { case: "thinking", value: {} }, extension }),
          ...this.#growText("thinking", content),
        ];
      case "redacted_thinking": {
        const value = { data: toText(content["data"]) };
        return [blockStartEvent(this.#index, { kind: { case: "redactedThinking", value }, extension })];
      }
      case "tool_use": {
        const value = { id: toText(content["id"]), name: calledName(content["name"]), kind: ToolKind.FUNCTION };
        return [blockStartEvent(this.#index, { kind: { case: "toolUse", value }, extension })];
      }
    }
  }

  /** Citations of a text that comes whole are told as those of one that grows. */
  #startText(content: JsonObject): GenerateEvent[] {
    const { citations } = content;
    const isCited = Array.isArray(citations) && citations.length > 0;
    const early = extraMembers(isCited ? { ...content, citations: [] } : content, BLOCK_KNOWN.text);
    const start = { kind: { case: "text" as const, value: {} }, extension: messagesJson(early) };
    const events = [blockStartEvent(this.#index, start), ...this.#growText("text", content)];
    return isCited ? [...events, ...this.#cite(citations)] : events;
  }

  /** Returns what a delta brings. A delta that the hub does not know goes on as an event of its own format. */
  grow(delta: JsonObject): GenerateEvent[] {
    const { type = impliedType(delta) } = delta;
    if (type === "text_delta" && this.#type === "text") return this.#growKnown("text_delta", delta);
    if (type === "input_json_delta" && this.#type === "tool_use") return this.#growKnown("input_json_delta", delta);
    if (type === "thinking_delta" && this.#type === "thinking") return this.#growKnown("thinking_delta", delta);
    if (type === "signature_delta" && this.#type === "thinking") {
      this.#signature += toText(delta["signature"]);
      return this.#passExtra("signature", delta, "");
    }
    if (type === "citations_delta" && this.#type === "text") {
      return [...this.#cite([delta["citation"]]), ...this.#passExtra("citation", delta, null)];
    }
    if (this.#type === undefined) this.#collect(delta);
    return this.#passThrough(delta);
  }

  /** Returns the block's end, with what is known only then. */
  end(): GenerateEvent[] {
    const events = this.#citations.map((citation) => this.#annotate(citation)).filter((event) => event !== undefined);
    if (this.#type === "tool_use" && !this.#hasArguments) {
      const startInput = this.#content["input"] ?? {};
      // Some servers write the input as the text of a Chat call's arguments.
      const input = typeof startInput === "string" ? parseJsonObject(startInput.trim() || "{}") : startInput;
      if (!isJsonObject(input)) throw brokenAnswer("the input of a tool call is not an object");
      const value = JSON.stringify(input);
      events.push(blockDeltaEvent(this.#index, { case: "arguments", value }));
    }
    // Of what its maker did not sign, it says whose it is.
    if (this.#type === "thinking") {
      events.push(blockDeltaEvent(this.#index, { case: "opaque", value: this.#signature }));
    }
    events.push(endEvent(this.#index, this.#endExtension()));
    return events;
  }

  /** Other formats know citations of pages by the places in the text; those of documents stay as they are. */
  #cite(citations: readonly unknown[]): GenerateEvent[] {
    const isPage = (citation: unknown): citation is JsonObject =>
      !this.#isNative && isJsonObject(citation) && decodePageCitation(citation, 0) !== undefined;
    const others = citations.filter((citation) => !isPage(citation));
    const events = others.length === 0 ? [] : [rawDelta(this.#index, { citations: others })];
    for (const citation of citations.filter(isPage)) {
      const event = this.#citations.length < MOST_WAITING ? undefined : this.#annotate(citation);
      if (event === undefined) this.#citations.push(citation);
      else events.push(event);
    }
    return events;
  }

  #annotate(citation: JsonObject): GenerateEvent | undefined {
    const value: Annotation | undefined = decodePageCitation(citation, this.#length);
    return value && blockDeltaEvent(this.#index, { case: "annotation", value });
  }

  #opaqueStart(): GenerateEvent {
    const value = messagesJson(this.#content);
    return blockStartEvent(this.#index, value === undefined ? {} : { kind: { case: "opaque", value } });
  }

  #growKnown(type: keyof typeof DELTA_TEXT, delta: JsonObject): GenerateEvent[] {
    const name = DELTA_TEXT[type];
    return [...this.#growText(name, delta), ...this.#passExtra(name, delta, "")];
  }

  /** A delta of its other members goes on as one of the format's own. */
  #passExtra(name: string, delta: JsonObject, nothing: unknown): GenerateEvent[] {
    // Nearly every delta has its two members and no other.
    if (Object.keys(delta).length === 2) return [];
    const extra = extraMembers(delta, new Set(["type", name]));
    return extra === undefined ? [] : this.#passThrough({ type: delta["type"], [name]: nothing, ...extra });
  }

  #growText(name: "text" | "thinking" | "partial_json", holder: JsonObject): GenerateEvent[] {
    const text = holder[name];
    if (typeof text !== "string" || text === "") {
      textAt(text, name);
      return [];
    }
    this.#length += text.length;
    if (name === "text") return [blockDeltaEvent(this.#index, { case: "text", value: text })];
    if (name === "thinking") {
      const value = create(SummaryDeltaSchema, { part: 0, text });
      return [blockDeltaEvent(this.#index, { case: "summary", value })];
    }
    // Some bridges say `{}` first, for no arguments so far; where none follow, the end says it.
    if (text === "{}" && this.#arguments.length === 0) return [];
    const value = this.#rest.read(text, this.#arguments);
    this.#arguments.add(value);
    this.#hasArguments ||= value.trim() !== "";
    return value === "" ? [] : [blockDeltaEvent(this.#index, { case: "arguments", value })];
  }

  #collect(delta: JsonObject): void {
    if (delta["type"] === "input_json_delta") this.#input += toText(delta["partial_json"]);
    else if (delta["type"] === "compaction_delta") {
      const { type, ...members } = delta;
      Object.assign(this.#members, members);
    }
  }

  #passThrough(delta: JsonObject): GenerateEvent[] {
    const value = messagesJson({ type: "content_block_delta", index: this.#index, delta });
    return value === undefined ? [] : [create(GenerateEventSchema, { event: { case: "raw", value } })];
  }

  #endExtension(): RawJson | undefined {
    const members =
      this.#input === "" ? this.#members : { ...this.#members, input: parseJsonObject(this.#input) ?? {} };
    return Object.keys(members).length === 0 ? undefined : messagesJson(members);
  }
}

/** The blocks that deltas belong to; an input belongs to a call, which has a name beside. */
const DELTA_BLOCKS: ReadonlyMap<unknown, "text" | "thinking"> = new Map([
  ["text_delta", "text"],
  ["thinking_delta", "thinking"],
  ["signature_delta", "thinking"],
]);

/** Returns the type of block that a delta tells; undefined if it tells none. */
export function impliedBlock(delta: JsonObject): "text" | "thinking" | undefined {
  return DELTA_BLOCKS.get(delta["type"] ?? impliedType(delta));
}

/** Tells whether a delta of such a block brings nothing. */
export function isEmptyDelta({ text, thinking, signature }: JsonObject): boolean {
  return toText(text) + toText(thinking) + toText(signature) === "";
}

/** Some servers leave the type out. */
function impliedType(delta: JsonObject): unknown {
  return Object.entries(DELTA_TEXT).find(([, name]) => typeof delta[name] === "string")?.[0];
}

function rawDelta(index: number, members: JsonObject): GenerateEvent {
  const value = create(RawJsonSchema, { dialect: Dialect.MESSAGES, json: JSON.stringify(members) });
  return blockDeltaEvent(index, { case: "raw", value });
}

function endEvent(index: number, extension: RawJson | undefined): GenerateEvent {
  const value = create(BlockEndSchema, { index, extension });
  return create(GenerateEventSchema, { event: { case: "blockEnd", value } });
}
