import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
  Role,
  type Tool,
  ToolSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { Finished, GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../../src/hub/error.ts";
import { createHubInput, type HubInit, type HubInput } from "../../../src/hub/input.ts";
import type { UpstreamTarget } from "../../../src/hub/upstream.ts";
import { createOrderCheck } from "../../../src/inference/checks/check-stream.ts";
import { createSandboxUpstream } from "../../../src/upstream/sandbox/upstream.ts";
import { sendCall } from "../../support/send-call.ts";

export type InputInit = HubInit;
type BlockInit = MessageInitShape<typeof ContentBlockSchema>;

export const TARGET: UpstreamTarget = {
  model: {
    name: "m",
    displayName: "M",
    family: "chat",
    purpose: "",
    contextWindow: 10_000,
    maxOutputTokens: 500,
    minCacheableTokens: 0,
    createdAt: new Date(0),
    deployments: [],
  },
  deployment: { upstream: "sandbox", model: "sandbox" },
  streamed: true,
  inferenceId: "019a0000-0000-7000-8000-000000000000",
  projectId: "p",
};

export function inputOf(init: InputInit): HubInput {
  return createHubInput({ model: "attune/m", messages: [user("hi")], ...init });
}

export function text(value: string): ContentBlock {
  return create(ContentBlockSchema, { kind: { case: "text", value: { text: value } } });
}

export function user(...content: (string | BlockInit)[]): Message {
  return create(MessageSchema, {
    role: Role.USER,
    content: content.map((block) => (typeof block === "string" ? text(block) : block)),
  });
}

export function call(id: string, name: string): Message {
  const kind = { case: "toolUse" as const, value: { id, name, arguments: "{}" } };
  return create(MessageSchema, { role: Role.ASSISTANT, content: [{ kind }] });
}

export function result(toolUseId: string, value: string, isError = false): ContentBlock {
  const kind = { case: "toolResult" as const, value: { toolUseId, content: [text(value)], isError } };
  return create(ContentBlockSchema, { kind });
}

export function tool(name: string, parameters?: object): Tool {
  const parametersJson = parameters === undefined ? undefined : JSON.stringify(parameters);
  return create(ToolSchema, { kind: { case: "function", value: { name, parametersJson } } });
}

/** Schema of the arguments of a tool. */
export const WEATHER = {
  type: "object",
  properties: { city: { type: "string", examples: ["Lima"] } },
  required: ["city"],
};

/** Returns the identifiers of the calls. */
export function idsOf(events: readonly GenerateEvent[]): string[] {
  return events.flatMap(({ event }) => {
    const kind = event.case === "blockStart" ? event.value.block?.kind : undefined;
    return kind?.case === "toolUse" ? [kind.value.id] : [];
  });
}

/** What came of a request, in a form that is easy to compare. */
export interface Outcome {
  readonly batches: readonly GenerateEvent[][];
  /** Each block: its kind, the name of a tool, and the text of its deltas. */
  readonly blocks: readonly string[];
  readonly finished: Finished | undefined;
  readonly error: InferenceError | undefined;
}

/** Sends a request and checks the order of what comes. */
export async function run(init: InputInit, signal = new AbortController().signal): Promise<Outcome> {
  const batches: GenerateEvent[][] = [];
  const outcome = (error?: InferenceError): Outcome => {
    const events = batches.flat();
    const last = events.at(-1)?.event;
    return { batches, blocks: blocksOf(events), finished: last?.case === "finished" ? last.value : undefined, error };
  };
  const checkOrder = createOrderCheck();
  try {
    for await (const batch of sendCall(createSandboxUpstream("sandbox").prepare(inputOf(init), TARGET), signal)) {
      for (const event of batch) checkOrder(event);
      batches.push(batch);
    }
  } catch (thrown) {
    if (!(thrown instanceof InferenceError)) throw thrown;
    return outcome(thrown);
  }
  return outcome();
}

function blocksOf(events: readonly GenerateEvent[]): string[] {
  const blocks: string[] = [];
  for (const { event } of events) {
    if (event.case === "blockStart") {
      const kind = event.value.block?.kind;
      blocks.push(kind?.case === "toolUse" ? `toolUse ${kind.value.name} ` : `${kind?.case} `);
    }
    if (event.case === "blockDelta") blocks[event.value.index] += textOfDelta(event.value.delta);
  }
  return blocks;
}

type Delta = Extract<GenerateEvent["event"], { case: "blockDelta" }>["value"]["delta"];

function textOfDelta(delta: Delta): string {
  switch (delta.case) {
    case "summary":
      return delta.value.text;
    case "opaque":
      return " (signed)";
    case "text":
    case "arguments":
      return delta.value;
    default:
      throw new Error(`an unexpected delta: ${delta.case}`);
  }
}
