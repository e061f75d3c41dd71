import { create } from "@bufbuild/protobuf";
import {
  type CountTokensResponse,
  CountTokensResponseSchema,
  Deviation,
  type InferenceInput,
  InferenceInputSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { FIELDS } from "../../hub/fields.ts";
import type { HubInput } from "../../hub/input.ts";
import { shortPlaces } from "../../hub/places.ts";
import type { CountCall, EstimateTokens, Upstream } from "../../hub/upstream.ts";
import { refusing } from "../attempts/refused-attempt.ts";
import { type BegunAttempt, runStrategy, type StrategyLimits } from "../attempts/run-strategy.ts";
import { checkStrict } from "../checks/answer-losses.ts";
import type { Prompt } from "../history/history.ts";
import { prepareAtPlaces } from "../history/history-places.ts";
import type { AttemptRole, Plan, PlannedAttempt, Strategy } from "../ports.ts";

/** A prompt to count. */
interface CountRequest {
  readonly id: string;
  readonly prompt: Prompt;
  readonly projectId: string;
  readonly plan: Plan;
}

/** An attempt whose upstream counts. */
type CountingAttempt = PlannedAttempt & { readonly upstream: Required<Pick<Upstream, "prepareCount">> };

/** The limits of a count. */
interface CountLimits extends StrategyLimits {
  readonly estimate: EstimateTokens;
}

/**
 * Counts the tokens of a prompt as the first upstream does that counts and answers; where none does, they are
 * estimated, and the response says so. Nothing is generated and nothing recorded. Throws InferenceError.
 */
export async function countTokens(request: CountRequest, limits: CountLimits): Promise<CountTokensResponse> {
  const counted = { ...request, prompt: { ...request.prompt, input: withoutAnswerOptions(request.prompt.input) } };
  const attempts = request.plan.strategy.attempts.filter(isCounting);
  if (attempts.length === 0) return await estimate(counted, limits);
  try {
    return await askUpstreams(counted, { ...request.plan.strategy, attempts }, limits);
  } catch (thrown) {
    if (!isWithoutCount(InferenceError.from(thrown))) throw thrown;
    return await estimate(counted, limits);
  }
}

async function askUpstreams(
  request: CountRequest,
  strategy: Strategy,
  limits: StrategyLimits,
): Promise<CountTokensResponse> {
  let response = create(CountTokensResponseSchema);
  const make = async ({ planned, role, claim, signal }: BegunAttempt): Promise<void> => {
    if (!isCounting(planned)) throw new Error(`the upstream '${planned.upstream.name}' does not count`);
    const counted = await count(prepare(request, planned), { attempt: planned, role }, signal);
    claim();
    response = counted;
  };
  await runStrategy(strategy, make, limits);
  return response;
}

async function estimate({ prompt, projectId }: CountRequest, limits: CountLimits): Promise<CountTokensResponse> {
  const inputTokens = await limits.estimate(prompt.input, projectId);
  return create(CountTokensResponseSchema, { inputTokens, estimated: true });
}

/** Services that speak a format without its count answer as they do to any unknown path. */
function isWithoutCount({ reason, facts: { upstreamStatus } }: InferenceError): boolean {
  if (upstreamStatus === 405 || upstreamStatus === 501) return true;
  return reason === ErrorReason.UPSTREAM_MISCONFIGURED || (reason === ErrorReason.NOT_FOUND && upstreamStatus === 404);
}

const NOTHING_ASKED = create(InferenceInputSchema);
const ANSWER_FIELDS = Object.entries(FIELDS["InferenceInput"] ?? {})
  .filter(([, row]) => row.isOfAnswer)
  .map(([name]) => name as keyof InferenceInput);
const NO_ANSWER_OPTIONS = Object.fromEntries(ANSWER_FIELDS.map((name) => [name, NOTHING_ASKED[name]]));

/** Leaves out what bears on the answer alone: who counts a prompt does not take it, and cannot lose it. */
function withoutAnswerOptions(input: HubInput): HubInput {
  return { ...input, ...NO_ANSWER_OPTIONS, echo: undefined };
}

function isCounting(attempt: PlannedAttempt): attempt is CountingAttempt {
  return attempt.upstream.prepareCount !== undefined;
}

function prepare({ id, prompt, projectId }: CountRequest, { model, upstream, deployment }: CountingAttempt): CountCall {
  const target = { model, deployment, streamed: false, inferenceId: id, projectId };
  return refusing(() => {
    const call = prepareAtPlaces(prompt, { upstream, deployment }, (opened) =>
      upstream.prepareCount(opened.input, target),
    );
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
      translationLosses: [...shortPlaces(call.losses)],
    },
  });
}
