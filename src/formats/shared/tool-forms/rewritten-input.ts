import type { Tool } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { ToolRules } from "./tool-rules.ts";

/** Gives a batch of events of one answer back in the caller's terms; it may hold some of them until a later batch. */
export type RestoreEvents = (events: GenerateEvent[]) => GenerateEvent[];

/** A request in terms that an upstream takes, and the way back to those of the caller. */
export interface RewrittenInput {
  readonly input: HubInput;
  /** Parts that the new terms cannot carry, by their places in the caller's request. */
  readonly losses: readonly string[];
  /** Returns where something of the new request stands in the caller's. */
  readonly placeOf: (place: string) => string;
  /** Creates the reader of one answer; absent: its events stay as they are. */
  readonly createRestore?: () => RestoreEvents;
  /** Tells requests apart that are alike in the new terms and whose answers are not in the caller's. */
  readonly restored?: unknown;
}

/** A tool, and where it stands in the caller's request. */
export interface PlacedTool {
  readonly tool: Tool;
  readonly path: string;
}

const LISTED = /^(tools|messages)\[(\d+)\](.*)$/s;

/** Below a tool of a list that only one format knows all names are the caller's own. */
const INNER_NAMES: Readonly<Record<string, string>> = {
  ".parameters_json": ".parameters",
  ".format_json": ".format",
};

/** Returns where things stand in the request that tools and messages are from; messages keep their places if absent. */
export function createPlaceFinder(
  tools: readonly PlacedTool[],
  messages?: readonly number[],
): RewrittenInput["placeOf"] {
  return (place) => {
    const [whole, list, digits, below = ""] = LISTED.exec(place) ?? [];
    if (whole === undefined) return place;
    if (list === "messages") return `messages[${messages?.[Number(digits)] ?? digits}]${below}`;
    const path = tools[Number(digits)]?.path;
    if (path === undefined) return place;
    if (!path.includes(".extension.")) return path + below;
    return (
      path + (INNER_NAMES[below] ?? below.replace(/^\.(?:function|custom)(?=\.|$)/, "").replace(/^\.extension/, ""))
    );
  };
}

type Step = (input: HubInput, rules: ToolRules) => RewrittenInput | undefined;

/** Takes steps one after another; undefined if none of them changes the request. Throws what they throw. */
export function inSteps(input: HubInput, rules: ToolRules, steps: readonly Step[]): RewrittenInput | undefined {
  let done: RewrittenInput | undefined;
  for (const step of steps) {
    const before = done;
    const next =
      before === undefined ? step(input, rules) : namingPlaces(before.placeOf, () => step(before.input, rules));
    if (next !== undefined) done = before === undefined ? next : joined(before, next);
  }
  return done;
}

function joined(before: RewrittenInput, next: RewrittenInput): RewrittenInput {
  const restores = [next.createRestore, before.createRestore].filter((create) => create !== undefined);
  return {
    input: next.input,
    losses: [...before.losses, ...next.losses.map(before.placeOf)],
    placeOf: (place) => before.placeOf(next.placeOf(place)),
    ...(restores.length > 0 && {
      createRestore: () => {
        const each = restores.map((create) => create());
        return (events) => each.reduce((batch, restore) => restore(batch), events);
      },
    }),
    restored: [before.restored, next.restored],
  };
}

/** Does something whose errors name places in the caller's request. */
export function namingPlaces<Made>(placeOf: RewrittenInput["placeOf"], make: () => Made): Made {
  try {
    return make();
  } catch (thrown) {
    throw thrown instanceof InferenceError ? thrown.atPlaces(placeOf) : thrown;
  }
}
