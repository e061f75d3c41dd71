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
import { EventList } from "../../shared/event-list.ts";
import type { JsonObject } from "../../shared/json.ts";
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
