import { createHash } from "node:crypto";
import { toBinary } from "@bufbuild/protobuf";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { type GenerateEvent, InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { costNanos } from "../../catalog/cost.ts";
import { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import { actsAtProvider, isDeterministic } from "../../hub/request-traits.ts";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import type { UpstreamCall } from "../../hub/upstream.ts";
import { newId } from "../../lib/ids.ts";
import { checkEnded, createOrderCheck } from "../checks/check-order.ts";
import { createSizeCheck, maxTokensOf } from "../checks/check-size.ts";
import { ResponseFold } from "../checks/fold.ts";
import type { Prompt } from "../history/history.ts";
import { prepareAtPlaces } from "../history/history-places.ts";
import { originOf } from "../history/open-input.ts";
import type { AuditedAnswer, PlainAnswer, PlannedAttempt } from "../ports.ts";
import type { InferenceRun } from "./run.ts";

/** Tokens of a prompt beyond which it is not asked again: it would cost more than it tells. */
const MOST_TOKENS = 100_000;

/**
 * Returns a completed answer as it is compared with the plain call's; undefined where it came from that call, from
 * another inference or from another model, where it was chosen by a check, and where the request is not to be sent
 * twice, since the provider does something for it. What a place cannot read of the conversation, or its format cannot
 * carry, has to be the same at both.
 */
export function auditedAnswer(run: InferenceRun): AuditedAnswer | undefined {
  const { winner, prompt, response } = run;
  const { plain, strategy } = run.plan;
  // Those that passed a check or were chosen are not like all that the model says.
  if (strategy.kind === "checked" || strategy.kind === "candidates") return undefined;
  if (winner === undefined || plain === undefined || run.input.compact || run.input.n > 1 || !run.finished)
    return undefined;
  const { planned } = winner.begun;
  if (planned.model !== plain.model) return undefined;
  const [place, plainPlace] = [winner.place, originOf(plain)];
  const isPlain = place.upstream === plainPlace.upstream && place.model === plainPlace.model;
  if (isPlain && (response.serving?.optimizations.length ?? 0) === 0) return undefined;
  const promptTokens = estimateInputTokens(prompt.input);
  if (promptTokens > MOST_TOKENS || actsAtProvider(prompt.input)) return undefined;
  const asked = { ...prompt, input: notKept(prompt.input) };
  const { losses } = winner.request;
  return {
    model: plain.model.name,
    place,
    plainPlace,
    isDeterministic: isDeterministic(prompt.input),
    promptKey: createHash("sha256").update(toBinary(InferenceInputSchema, prompt.input)).digest("base64"),
    promptTokens,
    response,
    askPlain: (signal) => {
      const { streamed, principal } = run;
      return askPlain(asked, { plain, losses, streamed, projectId: principal.projectId }, signal);
    },
  };
}

interface PlainCall {
  readonly plain: PlannedAttempt;
  /** The losses of the answer that it is compared with. */
  readonly losses: readonly string[];
  readonly streamed: boolean;
  readonly projectId: string;
}

async function askPlain(prompt: Prompt, asked: PlainCall, signal: AbortSignal): Promise<PlainAnswer> {
  const { model, deployment } = asked.plain;
  const call = prepare(prompt, asked);
  if (call.losses.join("\n") !== asked.losses.join("\n")) {
    throw InferenceError.invalid("audit", "the plain call would lose other parts of the request");
  }
  const fold = new ResponseFold();
  const checks = [createOrderCheck(), createSizeCheck(maxTokensOf(prompt.input, model))];
  const take = (events: readonly GenerateEvent[]): void => {
    for (const event of events) {
      for (const check of checks) check(event);
      fold.add(event);
    }
  };
  await call.send(take, signal);
  checkEnded(fold.isFinished);
  const price = deployment.price ?? model.price;
  const { usage } = fold;
  return { response: fold.response, costNanos: price && usage && costNanos(price, usage) };
}

/** Nothing but the request itself: no cache marks of ours, no other deployment. */
function prepare(prompt: Prompt, { plain, streamed, projectId }: PlainCall): UpstreamCall {
  const { model, upstream, deployment } = plain;
  const target = { model, deployment, streamed, inferenceId: newId(), projectId };
  return prepareAtPlaces(prompt, plain, ({ input, own }) => upstream.prepare(input, { ...target, ownReasoning: own }));
}

/** Has no copy kept at the provider beside the one that the caller may have wanted. */
function notKept(input: HubInput): HubInput {
  if (input.dialect !== Dialect.RESPONSES && input.store !== true) return input;
  return { ...input, store: false };
}
