import { type Annotations, Dialect, type Logprobs, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import type {
  BlockDelta,
  BlockEnd,
  BlockStart,
  ChoiceEvent,
  Finished,
  GenerateEvent,
  Started,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceError } from "../../../hub/error.ts";
import { encodeAnnotations } from "../../shared/annotations.ts";
import type { DecodedRequest, EventEncoder } from "../../shared/codec.ts";
import { openAiError } from "../../shared/encode-openai-error.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { encodeLogprobs } from "../../shared/logprobs.ts";
import { sseComment, sseData } from "../../shared/sse.ts";
import { blockMembers } from "../block-members.ts";
import { encodeFunctionCall, encodeToolCall, functionMembers, isFunctionCall } from "../encode-tool-call.ts";
import { CHAT_ANNOTATIONS, CHAT_LOGPROBS } from "../forms.ts";
import { opaqueCall } from "../reasoning-details.ts";
import { usesFunctions } from "../request/decode-functions.ts";
import { wantsUsage } from "../request/decode-options.ts";
import { answerMembers, mapFinishReason, missingRefusal } from "./encode-finish.ts";
import { encodeUsage } from "./encode-usage.ts";
import { ReasoningStream } from "./reasoning-stream.ts";

/** Creates the encoder of one stream of chunks. */
export function createEventEncoder({ body }: DecodedRequest): EventEncoder {
  const stream = new ChunkStream({ includeUsage: wantsUsage(body), isOlder: usesFunctions(body) });
  return {
    encode: (events) => {
      let text = "";
      for (const event of events) text += stream.encode(event);
      return text;
    },
    fail: encodeErrorEvent,
    heartbeat: () => sseComment("keep-alive"),
  };
}

/** Members that every chunk of a stream repeats. */
interface Constants {
  readonly id: string;
  readonly object: "chat.completion.chunk";
  readonly created: number;
  readonly model: string;
}

/** The client's wishes that bear on the chunks. */
interface StreamOptions {
  readonly includeUsage: boolean;
  readonly isOlder: boolean;
}

/** Writes the chunks of one choice; that of the first one writes the others too, and the end. */
class ChunkStream {
  readonly #options: StreamOptions;
  /** Position of the choice. */
  readonly #index: number;
  /** The choices that are written beside it. */
  readonly #further: ChunkStream[] = [];
  /** True once the last chunk of the choice is written. */
  #isEnded = false;
  readonly #usage: { usage?: null };
  readonly #reasoning = new ReasoningStream();
  #constants: Constants = { id: "", object: "chat.completion.chunk", created: 0, model: "" };
  /** All that stands before the delta of a chunk, and all that stands behind its logprobs. */
  #head = "";
  readonly #tail: string;
  #isOpened = false;
  /** Kind of the open block, as far as it matters. */
  #open: "text" | "refusal" | "function" | "custom" | "function_call" | "other" = "other";
  #calls = 0;
  /** True if the first call of a function stands in `function_call`. */
  readonly #isOlder: boolean;
  #hasFunctionCall = false;
  #hasRefusal = false;
  /** Characters of text so far, and of those before the open block: places of annotations count from the first. */
  #characters = 0;
  #charactersBefore = 0;

  constructor(options: StreamOptions, index = 0) {
    const { includeUsage, isOlder } = options;
    this.#options = options;
    this.#index = index;
    this.#isOlder = isOlder;
    this.#usage = includeUsage ? { usage: null } : {};
    this.#tail = `,"finish_reason":null}]${includeUsage ? ',"usage":null' : ""}}\n\n`;
  }

  encode({ event }: Pick<GenerateEvent, "event">): string {
    switch (event.case) {
      case "started":
        return this.#start(event.value);
      case "blockStart":
        return this.#startBlock(event.value);
      case "blockDelta":
        return this.#growBlock(event.value);
      case "blockEnd":
        return this.#endBlock(event.value);
      case "finished":
        return this.#finish(event.value);
      case "choiceEvent":
        return this.#choice(event.value.choice).#encodeChoice(event.value.event);
      case "raw":
        return event.value.dialect === Dialect.CHAT ? sseData(event.value.json) : "";
      case undefined:
        return "";
      default:
        return event satisfies never;
    }
  }

  /** Only remembers: what opens the stream depends on what comes first in it. */
  #start({ id, createdAt, model }: Started): string {
    this.#begin({ id, object: "chat.completion.chunk", created: Number(createdAt?.seconds ?? 0), model });
    return "";
  }

  #begin(constants: Constants): void {
    this.#constants = constants;
    this.#head = `data: ${JSON.stringify(constants).slice(0, -1)},"choices":[{"index":${this.#index},"delta":`;
  }

  #choice(position: number): ChunkStream {
    if (position === 0) return this;
    const known = this.#further[position];
    if (known !== undefined) return known;
    const further = new ChunkStream(this.#options, position);
    further.#begin(this.#constants);
    this.#further[position] = further;
    return further;
  }

  #encodeChoice(event: ChoiceEvent["event"]): string {
    return event.case === "finished" ? this.#last(event.value) : this.encode({ event });
  }

  /**
   * Opens the stream with the role. Only a stream that begins with a text has an empty one here: clients keep it, and a
   * call beside an empty text is refused elsewhere when it comes back.
   */
  #openWith(content: '""' | "null"): string {
    if (this.#isOpened) return "";
    this.#isOpened = true;
    return this.#chunk(`{"role":"assistant","content":${content},"refusal":null}`);
  }

  #startBlock({ block }: BlockStart): string {
    this.#open = "other";
    if (block === undefined) return "";
    const { kind } = block;
    if (kind.case === "text" || kind.case === "refusal") {
      this.#open = kind.case;
      this.#charactersBefore = this.#characters;
      const opened = this.#openWith(kind.case === "text" ? '""' : "null");
      return opened + this.#text(kind.value.text, block.logprobs) + this.#annotations(block.annotations);
    }
    if (this.#isOlder && !this.#hasFunctionCall && isFunctionCall(block)) {
      this.#hasFunctionCall = true;
      this.#open = "function_call";
      return this.#chunk(JSON.stringify({ function_call: encodeFunctionCall(block) }));
    }
    if (kind.case === "toolUse") {
      this.#open = kind.value.kind === ToolKind.CUSTOM ? "custom" : "function";
      const call = mergeMembers({ index: this.#calls++, ...encodeToolCall(kind.value) }, blockMembers(block.extension));
      return this.#chunk(`{"tool_calls":[${JSON.stringify(call)}]}`);
    }
    const opaque = opaqueCall(block);
    if (opaque !== undefined)
      return this.#chunk(`{"tool_calls":[${JSON.stringify({ index: this.#calls++, ...opaque })}]}`);
    return this.#thinking(this.#reasoning.start(block));
  }

  #growBlock(delta: BlockDelta): string {
    const { case: kind, value } = delta.delta;
    if (kind === "text") return this.#text(value, delta.logprobs);
    if (kind === "arguments") return this.#arguments(value, delta.logprobs);
    if (kind === "annotation") return this.#annotations({ annotations: [value] });
    return this.#thinking(this.#reasoning.grow(delta), delta.logprobs);
  }

  #endBlock({ extension }: BlockEnd): string {
    if (this.#open === "function" || this.#open === "custom" || this.#open === "function_call")
      return this.#endCall(blockMembers(extension));
    const details = this.#open === "other" ? this.#reasoning.end() : [];
    return details.length === 0 ? "" : this.#chunk(`{"reasoning_details":${JSON.stringify(details)}}`);
  }

  /** Members that became known after the call's first chunk. */
  #endCall(members: JsonObject): string {
    if (Object.keys(members).length === 0) return "";
    if (this.#open === "function_call") return this.#chunk(JSON.stringify({ function_call: functionMembers(members) }));
    return this.#chunk(`{"tool_calls":[${JSON.stringify({ index: this.#calls - 1, ...members })}]}`);
  }

  #annotations(annotations: Pick<Annotations, "annotations"> | undefined): string {
    const encoded = encodeAnnotations(annotations, CHAT_ANNOTATIONS, this.#charactersBefore);
    return encoded.length === 0 ? "" : this.#chunk(JSON.stringify({ annotations: encoded }));
  }

  #text(text: string, logprobs?: Logprobs): string {
    const name = this.#open === "refusal" ? "refusal" : "content";
    if (name === "refusal") this.#hasRefusal ||= text !== "";
    else this.#characters += text.length;
    return this.#delta(text, logprobs, `{"${name}":`, "}");
  }

  #arguments(text: string, logprobs?: Logprobs): string {
    if (this.#open === "function_call") {
      return this.#delta(text, logprobs, '{"function_call":{"arguments":', "}}");
    }
    const member = this.#open === "custom" ? '"custom":{"input"' : '"function":{"arguments"';
    return this.#delta(text, logprobs, `{"tool_calls":[{"index":${this.#calls - 1},${member}:`, "}}]}");
  }

  #thinking(text: string, logprobs?: Logprobs): string {
    return this.#delta(text, logprobs, '{"reasoning_content":', "}");
  }

  /** Writes a chunk of a text between the JSON before and behind it, unless it would say nothing. */
  #delta(text: string, logprobs: Logprobs | undefined, before: string, behind: string): string {
    const json = before + JSON.stringify(text) + behind;
    if (logprobs !== undefined) return this.#chunk(json, this.#logprobs(logprobs));
    return text === "" ? "" : this.#chunk(json);
  }

  #logprobs(logprobs: Logprobs): string {
    const json = JSON.stringify(encodeLogprobs(logprobs, CHAT_LOGPROBS));
    return this.#open === "refusal" ? `{"content":null,"refusal":${json}}` : `{"content":${json},"refusal":null}`;
  }

  #finish(finished: Finished): string {
    let text = this.#isEnded ? "" : this.#last(finished);
    if (this.#usage.usage === null) {
      text += sseData(JSON.stringify({ ...this.#constants, choices: [], usage: encodeUsage(finished.usage) }));
    }
    return `${text}${sseData("[DONE]")}`;
  }

  /** Writes the last chunk of the choice, with what it says of the answer. */
  #last(finished: Finished): string {
    this.#isEnded = true;
    const members = answerMembers(finished);
    const choice = {
      index: this.#index,
      delta: members.message,
      logprobs: null,
      finish_reason: mapFinishReason(finished, { calls: this.#calls, isOlder: this.#hasFunctionCall }),
    };
    const last = { ...this.#constants, choices: [mergeMembers(choice, members.choice)], ...this.#usage };
    const refusal = missingRefusal(finished, this.#hasRefusal);
    let text = this.#openWith("null");
    if (refusal !== undefined) text += this.#chunk(JSON.stringify({ refusal }));
    return text + sseData(JSON.stringify(mergeMembers(last, members.answer)));
  }

  #chunk(delta: string, logprobs = "null"): string {
    const opening = this.#isOpened ? "" : this.#openWith("null");
    return `${opening}${this.#head}${delta},"logprobs":${logprobs}${this.#tail}`;
  }
}

/** Encodes a failure inside a stream. No [DONE] follows: clients throw on the error itself. */
function encodeErrorEvent(error: InferenceError): string {
  return sseData(JSON.stringify({ error: openAiError(error) }));
}
