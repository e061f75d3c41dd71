import { create } from "@bufbuild/protobuf";
import {
  type CountTokensResponse,
  CountTokensResponseSchema,
  Deviation,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { newId } from "../lib/ids.ts";
import { checkStrict, preferOrigin } from "./attempts.ts";
import { ErrorReason, InferenceError } from "./error.ts";
import type { Prompt } from "./history.ts";
import { prepareAtPlaces } from "./history-places.ts";
import { openInput } from "./open-input.ts";
import type { Attempt, CountCall, Plan, Upstream } from "./ports.ts";

/** A prompt to count. */
export interface CountRequest {
  readonly prompt: Prompt;
  readonly projectId: string;
  readonly plan: Plan;
}

/** An attempt whose upstream counts. */
type CountingAttempt = Attempt & { readonly upstream: Required<Pick<Upstream, "prepareCount">> };

/**
 * Counts the tokens of a prompt as the first upstream does that counts and answers. Nothing is generated and nothing
 * recorded. Throws NOT_FOUND if none of the model's upstreams counts: an estimate would look like a count.
 */
export async function countTokens(request: CountRequest, signal: AbortSignal): Promise<CountTokensResponse> {
  const { prompt, plan } = request;
  const attempts = preferOrigin(plan.attempts, prompt.input).filter(isCounting);
  let failure = cannotCount(request);
  for (const [position, attempt] of attempts.entries()) {
    const call = prepare(request, attempt);
    try {
      return await count(call, { attempt, failedOver: position > 0 }, signal);
    } catch (thrown) {
      failure = InferenceError.from(thrown);
      if (!failure.retryable) break;
    }
  }
  throw failure;
}

function isCounting(attempt: Attempt): attempt is CountingAttempt {
  return attempt.upstream.prepareCount !== undefined;
}

function cannotCount({ prompt: { input }, plan }: CountRequest): InferenceError {
  const names = [...new Set(plan.attempts.map(({ upstream }) => `'${upstream.name}'`))].join(", ");
  return new InferenceError(
    ErrorReason.NOT_FOUND,
    `the tokens of a prompt cannot be counted for the model '${input.model}': its upstream ${names} does not count; the usage of an answer tells them`,
    { param: "model" },
  );
}

function prepare({ prompt, projectId, plan }: CountRequest, { upstream, deployment }: CountingAttempt): CountCall {
  const target = { model: plan.model, deployment, streamed: false, inferenceId: newId(), projectId };
  const origin = { upstream: upstream.name, model: deployment.model };
  const call = prepareAtPlaces(prompt, () => upstream.prepareCount(openInput(prompt.input, origin).input, target));
  checkStrict(prompt.input, call.losses, upstream.name);
  return call;
}

async function count(
  call: CountCall,
  { attempt, failedOver }: { readonly attempt: CountingAttempt; readonly failedOver: boolean },
  signal: AbortSignal,
): Promise<CountTokensResponse> {
  const { inputTokens, upstreamRequestId, upstreamHeaders, extension } = await call.send(signal);
  return create(CountTokensResponseSchema, {
    inputTokens,
    extension,
    serving: {
      upstream: attempt.upstream.name,
      upstreamModel: attempt.deployment.model,
      upstreamRequestId,
      upstreamHeaders: { ...upstreamHeaders },
      optimizations: failedOver ? ["failover"] : [],
      deviation: Deviation.NONE,
      translationLosses: [...call.losses],
    },
  });
}
