import type { ContentBlock } from "../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type Origin, seal } from "./seal.ts";

/** Seals the opaque state in an event that an upstream has just made; the event is changed in place, before it is handed on. */
export function sealEvent({ event }: GenerateEvent, origin: Origin): void {
  if (event.case === "blockStart" && event.value.block !== undefined) sealBlock(event.value.block, origin);
  if (event.case !== "blockDelta") return;
  const { delta } = event.value;
  if (delta.case === "opaque") event.value.delta = { case: "opaque", value: seal(origin, delta.value) };
}

function sealBlock({ kind }: ContentBlock, origin: Origin): void {
  if (kind.case === "thinking" && kind.value.opaque) kind.value.opaque = seal(origin, kind.value.opaque);
  if (kind.case === "redactedThinking") kind.value.data = seal(origin, kind.value.data, "redacted");
}
