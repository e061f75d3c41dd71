import { create } from "@bufbuild/protobuf";
import {
  type CountTokensResponse,
  CountTokensResponseSchema,
  Deviation,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { checkStrict } from "./check-strict.ts";
import { ErrorReason, InferenceError } from "./error.ts";
import type { Prompt } from "./history.ts";
import { prepareAtPlaces } from "./history-places.ts";
import { openInput } from "./open-input.ts";
import type { AttemptRole, CountCall, Plan, PlannedAttempt, Upstream } from "./ports.ts";
import { type BegunAttempt, refusing, runStrategy, type StrategyLimits } from "./run-strategy.ts";

/** A prompt to count. */
export interface CountRequest {
  readonly id: string;
  readonly prompt: Prompt;
  readonly projectId: string;
  readonly plan: Plan;
}

/** An attempt whose upstream counts. */
type CountingAttempt = PlannedAttempt & { readonly upstream: Required<Pick<Upstream, "prepareCount">> };

/**
 * Counts the tokens of a prompt as the first upstream does that counts and answers. Nothing is generated and nothing
 * recorded. Throws NOT_FOUND if none of the model's upstreams counts: an estimate would look like a count.
 */
export async function countTokens(request: CountRequest, limits: StrategyLimits): Promise<CountTokensResponse> {
  const { strategy } = request.plan;
  const attempts = strategy.attempts.filter(isCounting);
  if (attempts.length === 0) throw cannotCount(request);
  let response = create(CountTokensResponseSchema);
  const make = async ({ planned, role, claim, signal }: BegunAttempt): Promise<void> => {
    if (!isCounting(planned)) throw cannotCount(request);
    const counted = await count(prepare(request, planned), { attempt: planned, role }, signal);
    claim();
    response = counted;
  };
  await runStrategy({ ...strategy, attempts }, make, limits);
  return response;
}

function isCounting(attempt: PlannedAttempt): attempt is CountingAttempt {
  return attempt.upstream.prepareCount !== undefined;
}

function cannotCount({ prompt: { input }, plan }: CountRequest): InferenceError {
  const names = [...new Set(plan.strategy.attempts.map(({ upstream }) => `'${upstream.name}'`))].join(", ");
  return new InferenceError(
    ErrorReason.NOT_FOUND,
    `the tokens of a prompt cannot be counted for the model '${input.model}': its upstream ${names} does not count; the usage of an answer tells them`,
    { param: "model" },
  );
}

function prepare({ id, prompt, projectId, plan }: CountRequest, { upstream, deployment }: CountingAttempt): CountCall {
  const target = { model: plan.model, deployment, streamed: false, inferenceId: id, projectId };
  const origin = { upstream: upstream.name, model: deployment.model };
  return refusing(() => {
    const call = prepareAtPlaces(prompt, () => upstream.prepareCount(openInput(prompt.input, origin).input, target));
    checkStrict(prompt.input, call.losses, upstream.name);
    return call;
  });
}

async function count(
  call: CountCall,
  { attempt, role }: { readonly attempt: CountingAttempt; readonly role: AttemptRole },
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
      optimizations: role === "primary" ? [] : [role],
      deviation: Deviation.NONE,
      translationLosses: [...call.losses],
    },
  });
}
