import type { RawJson } from "../../../../gen/attune/content/v1/content_pb.ts";
import type {
  BlockDelta,
  BlockEnd,
  BlockStart,
  Finished,
  GenerateEvent,
  Started,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, type InferenceError } from "../../../hub/error.ts";
import { lateQueries } from "../../../hub/web-search/read-search.ts";
import type { DecodedRequest, EventEncoder } from "../../shared/codec.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { sseComment, sseData } from "../../shared/sse.ts";
import { CallWriter } from "./call-writer.ts";
import { encodeResourceError, encodeStreamError } from "./encode-error.ts";
import { encodeItem, encodeItemStart, encodeItems, type ItemStatus } from "./encode-item.ts";
import { encodeOutcome, encodeUsage } from "./encode-outcome.ts";
import { echoMembers, encodeResource, type Outcome, outputOptions, type ResponseIdentity } from "./encode-resource.ts";
import { Frames } from "./frames.ts";
import { OpaqueWriter } from "./opaque-writer.ts";
import { type OutputItem, OutputList, type Placed } from "./output-list.ts";
import { extendPart, type OutputPart } from "./output-part.ts";
import type { PartWriter } from "./part-writer.ts";
import { ReasoningWriter } from "./reasoning-writer.ts";
import { SearchWriter } from "./search-writer.ts";
import { TextWriter } from "./text-writer.ts";

/** The last line of every stream of this format. */
const DONE = sseData("[DONE]");

/** An event's name stands on a line of its own, outside the JSON. */
const EVENT_NAME = /^[\w.-]+$/;

/** The members of a request that its answer repeats. */
export type AnsweredRequest = Pick<DecodedRequest, "body"> & { readonly input: { readonly model: string } };

/**
 * Creates the encoder of one stream. `now` tells the time in seconds since 1970. Of a stream that is given again,
 * events up to the number `after` are left out.
 */
export function createEventEncoder(request: AnsweredRequest, now: () => number, after?: number): EventEncoder {
  return new ResponsesEventEncoder(request, now, after);
}

class ResponsesEventEncoder implements EventEncoder {
  /** The members of the request that a Response repeats; the rest is released. */
  readonly #echo: JsonObject;
  readonly #model: string;
  readonly #now: () => number;
  readonly #frames: Frames;
  #identity: ResponseIdentity | undefined;
  #output: OutputList;
  #writer: PartWriter | undefined;
  #part: OutputPart | undefined;
  /**
   * The last item, whose end is not written yet: only what follows tells whether it has more parts, or was cut short.
   */
  #pending: OutputItem | undefined;
  /** Searches whose outcome has not come: a provider of another format may tell other blocks before it. */
  readonly #searching = new Set<OutputItem>();

  constructor(request: AnsweredRequest, now: () => number, after: number | undefined) {
    this.#frames = new Frames(after);
    this.#echo = echoMembers(request.body) ?? {};
    this.#output = new OutputList("", outputOptions(this.#echo));
    this.#model = request.input.model;
    this.#now = now;
  }

  encode(events: readonly GenerateEvent[]): string {
    let text = "";
    for (const { event } of events) text += this.#event(event);
    return text;
  }

  /**
   * Some clients know only `error`, others only `response.failed`: both are sent, in the order that the format asks.
   */
  fail(error: InferenceError): string {
    const identity = this.#identity ?? this.#identify(error.facts.inferenceId ?? "", "", undefined);
    const { usage } = error.facts;
    const resource = encodeResource(this.#echo, identity, {
      status: error.reason === ErrorReason.CANCELED ? "cancelled" : "failed",
      completedAt: null,
      error: encodeResourceError(error),
      incompleteDetails: null,
      output: encodeItems(this.#output.items, this.#writer === undefined ? "completed" : "incomplete"),
      usage: usage === undefined ? null : encodeUsage(usage),
    });
    return (
      this.#frames.event("error", encodeStreamError(error)) +
      this.#frames.event("response.failed", `"response":${JSON.stringify(resource)}`) +
      DONE
    );
  }

  heartbeat(): string {
    return sseComment("keep-alive");
  }

  #event(event: GenerateEvent["event"]): string {
    switch (event.case) {
      case "started":
        return this.#started(event.value);
      case "blockStart":
        return this.#blockStart(event.value);
      case "blockDelta":
        return this.#blockDelta(event.value);
      case "blockEnd":
        return this.#blockEnd(event.value);
      case "finished":
        return this.#finished(event.value);
      case "raw":
        return this.#raw(event.value);
      // Callers of this format do not ask for several.
      case "choiceEvent":
      case undefined:
        return "";
      default:
        return event satisfies never;
    }
  }

  #identify(id: string, model: string, createdAt: bigint | undefined): ResponseIdentity {
    return { id, model: model || this.#model, createdAt: Number(createdAt ?? this.#now()) };
  }

  #started({ id, model, createdAt }: Started): string {
    // What is made in the background says so twice: at once, and when somebody has begun to answer.
    if (this.#identity !== undefined) return "";
    this.#identity = this.#identify(id, model, createdAt?.seconds);
    this.#output = new OutputList(id, outputOptions(this.#echo));
    const inProgress = this.#beginning("in_progress");
    // The id stands at the top as well, for readers who look for it there; clients skip members they do not know.
    const top = `"id":${JSON.stringify(id)}`;
    if (this.#echo.background !== true) {
      return (
        this.#frames.event("response.created", `${top},${inProgress}`) +
        this.#frames.event("response.in_progress", inProgress)
      );
    }
    const queued = this.#beginning("queued");
    return (
      this.#frames.event("response.created", `${top},${queued}`) +
      this.#frames.event("response.queued", queued) +
      this.#frames.event("response.in_progress", inProgress)
    );
  }

  #beginning(status: "queued" | "in_progress"): string {
    const identity = this.#identity ?? this.#identify("", "", undefined);
    const outcome: Outcome = {
      status,
      completedAt: null,
      error: null,
      incompleteDetails: null,
      output: [],
      usage: null,
    };
    return `"response":${JSON.stringify(encodeResource(this.#echo, identity, outcome))}`;
  }

  #blockStart({ block }: BlockStart): string {
    const known = this.#output.items.length;
    const placed = block && this.#output.add(block);
    this.#writer = undefined;
    this.#part = placed?.part;
    if (placed === undefined) return "";
    const { item } = placed;
    const isNew = this.#output.items.length > known;
    const previous = item === this.#pending ? "" : this.#closeItem("completed");
    this.#pending = item;
    this.#searching.delete(item);
    const added = isNew ? this.#itemEvent("response.output_item.added", item, encodeItemStart(item)) : "";
    this.#writer = createPartWriter(placed, this.#frames);
    return previous + added + this.#writer.open();
  }

  #blockDelta(delta: BlockDelta): string {
    return this.#writer?.delta(delta) ?? "";
  }

  #blockEnd({ extension }: BlockEnd): string {
    if (this.#part !== undefined) extendPart(this.#part, extension);
    if (this.#part?.type === "search") this.#part.queries = lateQueries(extension) ?? this.#part.queries;
    const text = this.#writer?.close() ?? "";
    this.#writer = undefined;
    this.#part = undefined;
    return text;
  }

  #finished(finished: Finished): string {
    const identity = this.#identity ?? this.#identify("", "", undefined);
    const outcome = encodeOutcome(finished, this.#output.items, this.#now());
    let closed = this.#closeItem(outcome.status);
    for (const item of this.#searching) closed += this.#itemDone(item, outcome.status);
    const resource = encodeResource(this.#echo, identity, outcome);
    return closed + this.#frames.event(`response.${outcome.status}`, `"response":${JSON.stringify(resource)}`) + DONE;
  }

  /**
   * An event that only this format knows goes on with the number and the place that it has in this stream. An item that
   * is announced this way takes its place in the output; its block follows when it is done.
   */
  #raw(raw: RawJson): string {
    const event = readResponsesJson(raw);
    if (event === undefined || typeof event.type !== "string" || !EVENT_NAME.test(event.type)) return "";
    let before = "";
    if (event.type === "response.output_item.added" && isJsonObject(event.item)) {
      before = this.#closeItem("completed");
      this.#pending = this.#output.announce(event.item);
      event.output_index = this.#pending.index;
    } else if (typeof event.item_id === "string") {
      event.output_index = this.#output.find(event.item_id)?.index ?? event.output_index;
    }
    return before + this.#frames.renumbered(event.type, event);
  }

  #closeItem(status: ItemStatus): string {
    const item = this.#pending;
    this.#pending = undefined;
    if (item === undefined) return "";
    const [part] = item.parts;
    if (part?.type !== "search" || part.outcome !== "pending") return this.#itemDone(item, status);
    this.#searching.add(item);
    return "";
  }

  #itemDone(item: OutputItem, status: ItemStatus): string {
    return this.#itemEvent("response.output_item.done", item, encodeItem(item, status));
  }

  #itemEvent(type: string, item: OutputItem, encoded: unknown): string {
    return this.#frames.event(type, `"output_index":${item.index},"item":${JSON.stringify(encoded)}`);
  }
}

/** Creates the writer of a block. What the block held from its start is written as a first delta. */
function createPartWriter({ item, part, isNew }: Placed, frames: Frames): PartWriter {
  const place = `"item_id":${JSON.stringify(item.id)},"output_index":${item.index}`;
  switch (part.type) {
    case "text":
    case "refusal":
      return new TextWriter(part, contentPlace(place, item), frames);
    case "call":
      return new CallWriter(part, place, frames);
    case "reasoning":
      return new ReasoningWriter(part, place, frames);
    case "opaque":
      return new OpaqueWriter(part, item.type === "message" ? contentPlace(place, item) : undefined, frames);
    case "search":
      return new SearchWriter(part, { place, isNew: isNew === true }, frames);
    default:
      return part satisfies never;
  }
}

function contentPlace(place: string, item: OutputItem): string {
  return `${place},"content_index":${item.parts.length - 1}`;
}
