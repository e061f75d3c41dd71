import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type ContentBlockSchema, LogprobsSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  BlockEndSchema,
  type FinishedSchema,
  type GenerateEvent,
  GenerateEventSchema,
  type GenerateResponse,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { chatJson } from "../../../../src/formats/chat/raw-json.ts";
import { decodeRequest } from "../../../../src/formats/chat/request/decode-request.ts";
import type { DecodedRequest } from "../../../../src/formats/shared/codec.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../../src/hub/events.ts";
import { ResponseFold } from "../../../../src/inference/checks/response-fold.ts";

/** A block of a scripted answer: how it starts, and what it grows by. */
export interface ScriptedBlock {
  readonly start: MessageInitShape<typeof ContentBlockSchema>;
  readonly deltas?: readonly (BlockDelta["delta"] & {
    readonly extension?: JsonObject;
    readonly logprobs?: readonly { readonly token: string; readonly logprob: number }[];
  })[];
  readonly endExtension?: JsonObject;
}

/** Events of a whole answer, begun in second 1700000000. */
export function answerEvents(
  blocks: readonly ScriptedBlock[],
  finished: MessageInitShape<typeof FinishedSchema>,
): GenerateEvent[] {
  return [
    startedEvent({ id: "0190-id", model: "attune/m", createdAt: { seconds: 1700000000n, nanos: 5 } }),
    ...blocks.flatMap((block, index) => blockEvents(block, index)),
    finishedEvent(finished),
  ];
}

function blockEvents({ start, deltas = [], endExtension }: ScriptedBlock, index: number): GenerateEvent[] {
  const grown = deltas.map(({ extension, logprobs, ...delta }) => {
    const event = blockDeltaEvent(index, delta as BlockDelta["delta"]);
    if (event.event.case !== "blockDelta") return event;
    if (extension !== undefined) event.event.value.extension = chatJson(extension);
    if (logprobs !== undefined) event.event.value.logprobs = create(LogprobsSchema, { tokens: [...logprobs] });
    return event;
  });
  const value = create(BlockEndSchema, { index, extension: chatJson(endExtension) });
  const end =
    endExtension === undefined
      ? blockEndEvent(index)
      : create(GenerateEventSchema, { event: { case: "blockEnd", value } });
  return [blockStartEvent(index, start), ...grown, end];
}

/** Folds events as the service does. */
export function foldEvents(events: readonly GenerateEvent[]): GenerateResponse {
  const fold = new ResponseFold();
  for (const event of events) fold.add(event);
  return fold.response;
}

/** A decoded request for a stream. */
export function streamRequest(members: JsonObject = {}): DecodedRequest {
  return decodeRequest({ model: "attune/m", messages: [{ role: "user", content: "x" }], stream: true, ...members });
}
