import type { GenerateResponse } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import type { HubInput } from "../../src/hub/input.ts";
import type { AnswerAudit, CallLimiter, Plan, PlannedAttempt, Router } from "../../src/inference/ports.ts";
import { InFlight } from "../../src/inference/run/in-flight.ts";
import { createInferenceService } from "../../src/inference/run/service.ts";
import { noConversations } from "./stub-conversations.ts";
import {
  NO_BACKGROUND,
  type Step,
  stubArchive,
  stubModel,
  stubPlace,
  stubRecorder,
  stubUpstream,
  textEvents,
  unknownModel,
} from "./stub-upstream.ts";
import { TEST_KEY } from "./test-signer.ts";

/** What a busy upstream fails with. */
export const overloaded = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy", { upstreamStatus: 529 });

/** What one call says, or the steps that it plays. */
export type Call = string | Step[];

/** A place that answers each call after the other; the last one repeats. */
export function placeThatSays(name: string, calls: readonly Call[]): PlannedAttempt {
  const play = (call: Call) => () => (typeof call === "string" ? [textEvents(call.slice(0, 2), call.slice(2))] : call);
  return stubPlace(stubUpstream(name, calls.map(play)));
}

/** What a service may do beyond its plan. */
export interface PlannedService {
  readonly mayBegin?: Router["mayBegin"] | undefined;
  readonly audit?: AnswerAudit | undefined;
  readonly limiter?: CallLimiter;
}

/** A service that answers each request by one plan. */
export function serviceOf(
  plan: Omit<Plan, "model" | "optimizations">,
  { mayBegin = () => true, audit, limiter }: PlannedService = {},
) {
  const recorder = stubRecorder();
  const planned = { ...plan, model: stubModel, optimizations: [] };
  const service = createInferenceService({
    conversations: noConversations,
    estimateTokens: async () => 1,
    signingKey: TEST_KEY,
    router: { modelOf: () => stubModel, unknownModel, plan: () => planned, coalescing: () => undefined, mayBegin },
    recorder,
    inFlight: new InFlight(),
    archive: stubArchive(),
    background: NO_BACKGROUND,
    validate: () => {},
    audit,
    ...(limiter !== undefined && { limiter }),
  });
  return { service, recorder };
}

/** Who asks a service, and waits for the answer unless `signal` says otherwise. */
export const caller = (signal = new AbortController().signal) => ({
  principal: { keyId: "k", projectId: "p" },
  signal,
});

/** What such a service answers to a request, and what it has written of it. */
export async function askOnce({ service, recorder }: ReturnType<typeof serviceOf>, input: HubInput) {
  const response = await service.generate(input, caller());
  const [record] = recorder.records;
  return { response, text: textOf(response), record, attempts: record?.attempts ?? [] };
}

/** The text of an answer of one block. */
export function textOf({ content }: GenerateResponse): string {
  const kind = content[0]?.kind;
  return kind?.case === "text" ? kind.value.text : "";
}
