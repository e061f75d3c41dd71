import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { FinishReason, GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { findServerFacts } from "../../../src/catalog/server-facts.ts";
import { InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { AnswerLosses } from "../../../src/inference/checks/answer-losses.ts";
import { ResponseFold } from "../../../src/inference/checks/response-fold.ts";
import { createUpstreams } from "../../../src/upstream/registry.ts";
import { awsFrame } from "../../support/aws-frame.ts";
import { type ScriptedUpstream, wholeAnswer } from "../../support/scripted-upstream.ts";
import { sendCall } from "../../support/send-call.ts";
import { stubModel } from "../../support/stub-upstream.ts";
import { type CloudConfig, cloudUpstream } from "./call-cloud.ts";

const KEYS = { type: "aws", region: "us-east-1", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "aws-secret" } as const;
const MODEL = "us.amazon.nova-pro-v1:0";

/** Path of that model. */
export const PATH = "/model/us.amazon.nova-pro-v1%3A0";

export type Input = Parameters<typeof createHubInput>[0];

export const said = (role: Role, ...texts: string[]) => ({
  role,
  content: texts.map((text) => ({ kind: { case: "text" as const, value: { text } } })),
});

export const HELLO = { model: "attune/m", messages: [said(Role.USER, "Say hello")] } satisfies Input;

interface CallOptions {
  readonly streamed?: boolean;
  readonly dialect?: Dialect;
  readonly settings?: Partial<CloudConfig>;
}

/** Calls the upstream once, and returns what it was sent, what was lost of the request and its answer, and what came. */
export async function callConverse(
  scripted: ScriptedUpstream,
  input: Input = HELLO,
  { streamed = false, dialect = Dialect.CHAT, settings = {} }: CallOptions = {},
) {
  const profile = { ...findServerFacts("bedrock", "converse"), name: "bedrock" as const, isGuessed: true };
  const config = cloudUpstream({ kind: "bedrock-converse", baseUrl: scripted.url, auth: KEYS, profile, ...settings });
  const upstream = createUpstreams({ up: config }, { environment: {} }).get("up");
  if (upstream === undefined) throw new Error("there is no upstream");
  const target = {
    model: { ...stubModel, maxOutputTokens: 500 },
    deployment: { upstream: "up", model: MODEL },
    streamed,
    inferenceId: "i",
    projectId: "p",
  };
  const events: GenerateEvent["event"][] = [];
  let losses: readonly string[] = [];
  let error: InferenceError | undefined;
  const hub = Object.assign(createHubInput(input), { dialect });
  try {
    const prepared = upstream.prepare(hub, target);
    losses = prepared.losses;
    for await (const batch of sendCall(prepared)) events.push(...batch.map(({ event }) => event));
  } catch (thrown) {
    error = InferenceError.from(thrown);
  }
  await upstream.close?.();
  const received = scripted.received.at(-1);
  const answerLosses = new AnswerLosses({ input: hub, streamed });
  const fold = new ResponseFold();
  for (const event of events) {
    fold.add({ event });
    if (event.case === "raw") answerLosses.noteEvent(event.value);
  }
  const { content, finished } = fold.response;
  const lostOfAnswer = finished === undefined ? [] : answerLosses.list(content, finished);
  const sent = received && JSON.parse(received.body);
  return {
    losses,
    error,
    received,
    sent,
    content,
    lostOfAnswer,
    rawReason: finished?.rawReason,
    usage: finished?.usage,
    ...summarize(events),
  };
}

function summarize(events: readonly GenerateEvent["event"][]) {
  let [text, thinking, calls] = ["", "", ""];
  let finished: { reason: FinishReason; input: number; output: number; cached: number } | undefined;
  for (const event of events) {
    if (event.case === "blockStart") {
      const { kind } = event.value.block ?? {};
      if (kind?.case === "toolUse") calls += `${kind.value.id} ${kind.value.name} `;
    }
    if (event.case === "blockDelta") {
      const { delta } = event.value;
      if (delta.case === "text") text += delta.value;
      if (delta.case === "summary") thinking += delta.value.text;
      if (delta.case === "arguments") calls += delta.value;
    }
    if (event.case === "finished") {
      const { reason, usage } = event.value;
      const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = usage ?? {};
      finished = { reason, input: inputTokens, output: outputTokens, cached: cacheReadTokens };
    }
  }
  return { text, thinking, calls, finished };
}

/** Usage as AWS documents it. */
export const USAGE = {
  inputTokens: 12,
  outputTokens: 5,
  totalTokens: 17,
  cacheReadInputTokens: 3,
  cacheWriteInputTokens: 0,
};

/** A whole answer. */
export const whole = (content: readonly object[], stopReason = "end_turn") =>
  wholeAnswer(
    JSON.stringify({
      output: { message: { role: "assistant", content } },
      stopReason,
      usage: USAGE,
      metrics: { latencyMs: 9 },
    }),
    { "x-amzn-requestid": "aws-1" },
  );

/** An event, padded as AWS pads it. */
export const frame = (event: string, payload: object) =>
  awsFrame(
    { ":event-type": event, ":content-type": "application/json", ":message-type": "event" },
    JSON.stringify({ ...payload, p: "abc" }),
  );

/** A streamed answer. */
export const stream = (...frames: Buffer[]) => ({
  headers: { "content-type": "application/vnd.amazon.eventstream", "x-amzn-requestid": "aws-1" },
  steps: [Buffer.concat(frames)],
});
