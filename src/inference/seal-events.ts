import type { ContentBlock } from "../../gen/attune/content/v1/content_pb.ts";
import { type GenerateEvent, GenerateEventSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { create } from "../lib/protobuf/create.ts";
import { blockDeltaEvent } from "./events.ts";
import type { Origin } from "./ports.ts";
import { seal } from "./seal.ts";

/** Returns an event with its opaque state sealed: the event itself where it has none. */
export function sealEvent(event: GenerateEvent, origin: Origin): GenerateEvent {
  const { case: kind, value } = event.event;
  if (kind === "blockStart" && value.block !== undefined) {
    const sealed = sealKind(value.block, origin);
    if (sealed === undefined) return event;
    const block = { ...value.block, kind: sealed };
    return create(GenerateEventSchema, { event: { case: kind, value: { ...value, block } } });
  }
  if (kind !== "blockDelta" || value.delta.case !== "opaque") return event;
  const sealed = blockDeltaEvent(value.index, { case: "opaque", value: seal(origin, value.delta.value) });
  if (sealed.event.case === "blockDelta" && value.extension !== undefined)
    sealed.event.value.extension = value.extension;
  return sealed;
}

function sealKind({ kind }: ContentBlock, origin: Origin): ContentBlock["kind"] | undefined {
  if (kind.case === "thinking" && kind.value.opaque) {
    return { case: kind.case, value: { ...kind.value, opaque: seal(origin, kind.value.opaque) } };
  }
  if (kind.case !== "redactedThinking") return undefined;
  return { case: kind.case, value: { ...kind.value, data: seal(origin, kind.value.data, "redacted") } };
}
