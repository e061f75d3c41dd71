import { create } from "@bufbuild/protobuf";
import { ContentBlockSchema, ToolUseBlockSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type GenerateEvent, GenerateEventSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { choiceEvent, createEvent } from "../../../hub/events.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { CountCall, Upstream, UpstreamTarget } from "../../../hub/upstream.ts";
import { readResponsesJson, responsesJson } from "../responses-json.ts";
import type { FlatNames } from "./flat-names.ts";
import { type FlatInput, flattenInput, type ToolNameRules } from "./flatten-input.ts";

/**
 * Gives an upstream tools under names that it takes, as flattenInput() does, and gives its calls the names back that
 * the caller knows.
 */
export function withToolNames(upstream: Upstream, rules: ToolNameRules): Upstream {
  const { prepareCount, fingerprint } = upstream;
  return {
    ...upstream,
    prepare(input, target) {
      const flat = flattenInput(input, rules);
      if (flat === undefined) return upstream.prepare(input, target);
      const call = atPlaces(flat, () => upstream.prepare(flat.input, target));
      return {
        ...call,
        send: (sink, signal) => call.send((events) => sink(restoreNames(events, flat.names)), signal),
      };
    },
    ...(prepareCount === undefined
      ? {}
      : {
          prepareCount(input: HubInput, target: UpstreamTarget): CountCall {
            const flat = flattenInput(input, rules);
            if (flat === undefined) return prepareCount(input, target);
            return atPlaces(flat, () => prepareCount(flat.input, target));
          },
        }),
    ...(fingerprint === undefined
      ? {}
      : {
          fingerprint(input: HubInput, target: UpstreamTarget): string {
            const flat = flattenInput(input, rules);
            if (flat === undefined) return fingerprint(input, target);
            // The calls of the answer have other names for a caller whose tools need no others.
            const tools = flat.input.tools.flatMap(({ kind }) => {
              const isNamed = kind.case === "function" || kind.case === "custom";
              return isNamed ? [flat.names.original(kind.value.name) ?? ""] : [];
            });
            return JSON.stringify([fingerprint(flat.input, target), tools]);
          },
        }),
  };
}

/** Translates a request, and names places in it as in the caller's. */
function atPlaces<Call extends { readonly losses: readonly string[] }>(flat: FlatInput, prepare: () => Call): Call {
  try {
    const call = prepare();
    return { ...call, losses: [...new Set([...flat.losses, ...call.losses.map(flat.placeOf)])] };
  } catch (thrown) {
    throw thrown instanceof InferenceError ? thrown.atPlaces(flat.placeOf) : thrown;
  }
}

/**
 * Returns events in which calls are of the tools that the caller knows; those that upstreams hand on are not changed.
 */
function restoreNames(events: GenerateEvent[], names: FlatNames): GenerateEvent[] {
  return events.map((event) => {
    const { case: kind, value } = event.event;
    if (kind === "choiceEvent") {
      const [own] = restoreNames([createEvent(value.event)], names);
      return own?.event.case === "blockStart" ? choiceEvent(value.choice, own.event) : event;
    }
    if (kind !== "blockStart" || value.block?.kind.case !== "toolUse") return event;
    const { block } = value;
    const tool = names.original(value.block.kind.value.name);
    if (tool === undefined) return event;
    const call = create(ToolUseBlockSchema, { ...value.block.kind.value, name: tool.name });
    const own = create(ContentBlockSchema, { ...block, kind: { case: "toolUse", value: call } });
    if (tool.namespace !== undefined) {
      const members = { ...readResponsesJson(block.itemExtension), namespace: tool.namespace };
      own.itemExtension = responsesJson(members);
    }
    return create(GenerateEventSchema, { event: { case: kind, value: { ...value, block: own } } });
  });
}
