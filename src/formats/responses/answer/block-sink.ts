import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlockSchema,
  Dialect,
  type Logprobs,
  RawJsonSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  type FinishedSchema,
  type GenerateEvent,
  GenerateEventSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, finishedEvent, startedEvent } from "../../../hub/events.ts";
import type { StringBuilder } from "../../../lib/string-builder.ts";
import { EventList } from "../../shared/event-list.ts";
import { type JsonObject, unknownMembers } from "../../shared/json.ts";
import { responsesJson } from "../../shared/responses-json.ts";

/** Collects the events of one stream and numbers its blocks. */
export class BlockSink {
  readonly #events = new EventList();
  #index = -1;
  #hasCalls = false;

  /** Returns whether the model called a tool. */
  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  /** Returns what was collected since the last time. */
  take(): GenerateEvent[] {
    return this.#events.take();
  }

  started(upstreamModel: string): void {
    this.#events.add(startedEvent({ serving: { upstreamModel } }));
  }

  start(block: MessageInitShape<typeof ContentBlockSchema>): void {
    this.#index += 1;
    if (block.kind?.case === "toolUse") this.#hasCalls = true;
    this.#events.add(blockStartEvent(this.#index, block));
  }

  delta(delta: BlockDelta["delta"], logprobs?: Logprobs): void {
    const event = blockDeltaEvent(this.#index, delta);
    if (logprobs !== undefined && event.event.case === "blockDelta") event.event.value.logprobs = logprobs;
    this.#events.add(event);
  }

  end(extension?: JsonObject): void {
    const event = blockEndEvent(this.#index);
    if (extension !== undefined && event.event.case === "blockEnd") {
      event.event.value.extension = responsesJson(extension);
    }
    this.#events.add(event);
  }

  /** An event that only this format knows, as JSON text. */
  raw(json: string): void {
    const value = create(RawJsonSchema, { dialect: Dialect.RESPONSES, json });
    this.#events.add(create(GenerateEventSchema, { event: { case: "raw", value } }));
  }

  finished(finished: MessageInitShape<typeof FinishedSchema>): void {
    this.#events.add(finishedEvent(finished));
  }
}

/** Reads the events of one output item. */
export interface ItemReader {
  /** Reads an event between those that add the item and end it; false if the item does not know the event. */
  read(event: JsonObject): boolean;
  /** Ends the item. `item` is what the upstream says it has become; undefined if it never did. */
  close(item: JsonObject | undefined): void;
}

/** Returns what the whole text has beyond what was streamed of it; "" if the two do not agree. */
export function findRest(whole: unknown, streamed: StringBuilder | undefined): string {
  if (typeof whole !== "string" || streamed === undefined) return typeof whole === "string" ? whole : "";
  // Looked at only where there is a rest: an end that says less costs nothing, however often it comes.
  if (whole.length <= streamed.length || !whole.startsWith(streamed.toString())) return "";
  return whole.slice(streamed.length);
}

/** Members of an item, as it is added, that only this format knows. Its status then is always "in progress". */
export function earlyMembers(item: JsonObject, modelled: ReadonlySet<string>): JsonObject | undefined {
  const { status: _status, ...rest } = item;
  return unknownMembers(rest, modelled);
}

/**
 * Members of an item, as it is done, that only this format knows and that were not the same when it was added. A status
 * is among them unless it is the one that an item without a word about it has.
 */
export function lateMembers(
  added: JsonObject,
  done: JsonObject | undefined,
  modelled: ReadonlySet<string>,
): JsonObject | undefined {
  if (done === undefined) return undefined;
  const { status, ...rest } = done;
  const late: JsonObject = status === usualStatus(done) ? {} : { status };
  for (const [name, value] of Object.entries(unknownMembers(rest, modelled) ?? {})) {
    if (JSON.stringify(value) !== JSON.stringify(added[name])) late[name] = value;
  }
  return Object.keys(late).length > 0 ? late : undefined;
}

/** Reasoning has no status as a rule. */
function usualStatus(item: JsonObject): unknown {
  return item.status === undefined || item.type === "reasoning" ? undefined : "completed";
}
