import { create } from "@bufbuild/protobuf";
import { Dialect, type Usage, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { costNanos, countedCost } from "../../catalog/cost.ts";
import { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import type { OnSent, UpstreamCall } from "../../hub/upstream.ts";
import { newId } from "../../lib/ids.ts";
import { checkEnded, createOrderCheck, createSizeCheck, findMaxTokens } from "../checks/check-stream.ts";
import { completeUsage, estimateLost, estimateUsage } from "../checks/estimate-usage.ts";
import { ResponseFold } from "../checks/response-fold.ts";
import type { Prompt } from "../history/history.ts";
import { prepareAtPlaces } from "../history/history-places.ts";
import type { BackgroundAnswer, PlannedAttempt } from "../ports.ts";

/** A call that no caller waits for. */
interface BackgroundCall {
  readonly planned: PlannedAttempt;
  /** The losses of the answer that it is held against; absent where it is held against none. */
  readonly losses?: readonly string[];
  readonly streamed: boolean;
  readonly projectId: string;
  /** See UpstreamTarget. */
  readonly serviceTier?: string | undefined;
  /** Takes note of the call when it has ended; absent where nobody does. */
  readonly onEnd?: ((ended: EndedCall) => void) | undefined;
}

/** A call that has ended. */
export interface EndedCall extends Pick<BackgroundCall, "planned" | "streamed"> {
  readonly startedAt: Date;
  readonly latencyMs: number;
  readonly end: { readonly answer: BackgroundAnswer } | { readonly error: InferenceError };
}

/**
 * Asks one place, for nobody but who compares or grades answers: the call is not recorded. Throws InferenceError, also
 * where the place would lose other parts of the request than the answer that it is held against; it tells the usage of
 * an answer that broke off.
 */
export async function askInBackground(
  prompt: Prompt,
  call: BackgroundCall,
  signal: AbortSignal,
): Promise<BackgroundAnswer> {
  const { planned, streamed, onEnd } = call;
  if (onEnd === undefined) return await ask(prompt, call, signal);
  const startedAt = new Date();
  const startMs = performance.now();
  const ended = (end: EndedCall["end"]): void =>
    onEnd({ planned, streamed, startedAt, latencyMs: performance.now() - startMs, end });
  try {
    const answer = await ask(prompt, call, signal);
    ended({ answer });
    return answer;
  } catch (thrown) {
    ended({ error: InferenceError.from(thrown) });
    throw thrown;
  }
}

async function ask(prompt: Prompt, background: BackgroundCall, signal: AbortSignal): Promise<BackgroundAnswer> {
  const { model, deployment } = background.planned;
  let sentMs: number | undefined;
  let lost: Usage | undefined;
  const onSent = (lostMs?: number): void => {
    if (lostMs === undefined) sentMs ??= performance.now();
    else {
      lost = estimateLost(lostMs, { input: prompt.input, unseen: { ms: lostMs, mostTokens } });
      sentMs = performance.now();
    }
  };
  const mostTokens = findMaxTokens(prompt.input, model);
  const call = prepare({ ...prompt, input: notKept(prompt.input) }, background, onSent);
  if (background.losses !== undefined && call.losses.join("\n") !== background.losses.join("\n")) {
    throw InferenceError.invalid("audit", "the call would lose other parts of the request");
  }
  const fold = new ResponseFold();
  const checks = [createOrderCheck(), createSizeCheck(mostTokens)];
  const take = (events: readonly GenerateEvent[]): void => {
    for (const event of events) {
      for (const check of checks) check(event);
      fold.add(event);
    }
  };
  const exchange = () => ({ input: prompt.input, content: fold.response.content });
  try {
    await call.send(take, signal);
    checkEnded(fold.isFinished);
  } catch (thrown) {
    const error = InferenceError.from(thrown);
    const hasBegun = fold.usage !== undefined || fold.response.content.length > 0;
    const isPaidFor = hasBegun || (sentMs !== undefined && !error.isAnswer);
    if (!isPaidFor) throw error.spending(withLost(error.facts.usage, lost));
    const unseen = sentMs !== undefined && !hasBegun && { ms: performance.now() - sentMs, mostTokens };
    throw error.spending(withLost(estimateUsage(fold.usage, { ...exchange(), ...(unseen && { unseen }) }), lost));
  }
  const price = deployment.price ?? model.price;
  const { response } = fold;
  const answered = completeUsage(fold.usage, exchange);
  const usage = withLost(answered, lost);
  const cost = countedCost(price, answered, new Date())?.nanos;
  const lostCost = price === undefined || lost === undefined ? 0 : costNanos(price, lost, new Date());
  return { response, usage, costNanos: cost === undefined ? undefined : cost + lostCost };
}

/** Adds the tokens of a request that was lost with its connection, and sent again. */
function withLost<T extends Usage | undefined>(usage: T, lost: Usage | undefined): T | Usage {
  if (lost === undefined) return usage;
  const inputTokens = (usage?.inputTokens ?? 0) + lost.inputTokens;
  const outputTokens = (usage?.outputTokens ?? 0) + lost.outputTokens;
  return create(UsageSchema, { ...(usage ?? lost), inputTokens, outputTokens, estimated: true });
}

/** Nothing but the request itself: no cache marks of ours, no other deployment. */
function prepare(prompt: Prompt, call: BackgroundCall, onSent: OnSent): UpstreamCall {
  const { planned, streamed, projectId, serviceTier } = call;
  const { model, upstream, deployment } = planned;
  const target = { model, deployment, streamed, inferenceId: newId(), projectId, serviceTier, onSent };
  return prepareAtPlaces(prompt, planned, ({ input, own }) =>
    upstream.prepare(input, { ...target, ownReasoning: own }),
  );
}

/** Has no copy kept at the provider beside the one that the caller may have wanted. */
function notKept(input: HubInput): HubInput {
  if (input.dialect !== Dialect.RESPONSES && input.store !== true) return input;
  return { ...input, store: false };
}
