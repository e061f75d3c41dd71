import { create } from "@bufbuild/protobuf";
import type { ContentBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import { type GenerateEvent, GenerateEventSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel } from "../../catalog/model.ts";
import { blockDeltaEvent } from "../../hub/events.ts";
import type { Signer } from "../../lib/signer.ts";
import type { Maker, Origin } from "../ports.ts";
import { type StateKind, seal } from "./seal.ts";

/** The model that answers, the one that was asked for, and the signer: opaque state for callers is sealed with them. */
export interface Sealing {
  readonly answering: CatalogModel;
  readonly asked: CatalogModel;
  readonly place: Origin;
  readonly signer: Signer;
}

/** Tells whether an event brings opaque state of reasoning. An empty one says whose the reasoning is. */
export function holdsOpaque({ event }: GenerateEvent): boolean {
  if (event.case === "blockDelta") return event.value.delta.case === "opaque";
  const kind = event.case === "blockStart" ? event.value.block?.kind : undefined;
  return kind?.case === "redactedThinking" || (kind?.case === "thinking" && Boolean(kind.value.opaque));
}

/** Returns an event with its opaque state sealed: the event itself where it has none. */
export function sealEvent(event: GenerateEvent, sealing: Sealing): GenerateEvent {
  const { case: kind, value } = event.event;
  if (kind === "blockStart" && value.block !== undefined) {
    const sealed = sealKind(value.block, sealing);
    if (sealed === undefined) return event;
    const block = { ...value.block, kind: sealed };
    return create(GenerateEventSchema, { event: { case: kind, value: { ...value, block } } });
  }
  if (kind !== "blockDelta" || value.delta.case !== "opaque") return event;
  const sealed = blockDeltaEvent(value.index, { case: "opaque", value: sealState(sealing, value.delta.value) });
  if (sealed.event.case !== "blockDelta") return sealed;
  if (value.extension !== undefined) sealed.event.value.extension = value.extension;
  if (value.logprobs !== undefined) sealed.event.value.logprobs = value.logprobs;
  return sealed;
}

function sealKind({ kind }: ContentBlock, sealing: Sealing): ContentBlock["kind"] | undefined {
  if (kind.case === "thinking" && kind.value.opaque) {
    return { case: kind.case, value: { ...kind.value, opaque: sealState(sealing, kind.value.opaque) } };
  }
  if (kind.case !== "redactedThinking") return undefined;
  return { case: kind.case, value: { ...kind.value, data: sealState(sealing, kind.value.data, "redacted") } };
}

function sealState({ answering, asked, place, signer }: Sealing, blob: string, state?: StateKind): string {
  const maker: Maker = answering === asked ? place : { ...place, insteadOf: asked.name };
  return seal(signer, maker, blob, state);
}
