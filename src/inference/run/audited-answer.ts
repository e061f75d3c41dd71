import { createHash } from "node:crypto";
import { toBinary } from "@bufbuild/protobuf";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { costNanos } from "../../catalog/cost.ts";
import { InferenceError } from "../../hub/error.ts";
import { actsAtProvider, isDeterministic } from "../../hub/request-traits.ts";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import { toOrigin } from "../history/open-input.ts";
import type { AuditedAnswer } from "../ports.ts";
import { askInBackground } from "./ask-in-background.ts";
import type { InferenceRun } from "./inference-run.ts";
import { traceCalls } from "./trace-call.ts";

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
  const [place, plainPlace] = [winner.place, toOrigin(plain)];
  const isPlain = place.upstream === plainPlace.upstream && place.model === plainPlace.model;
  if (isPlain && (response.serving?.optimizations.length ?? 0) === 0) return undefined;
  const promptTokens = estimateInputTokens(prompt.input);
  if (promptTokens > MOST_TOKENS || actsAtProvider(prompt.input)) return undefined;
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
      const call = { planned: plain, losses, streamed, projectId: principal.projectId };
      return askInBackground(prompt, { ...call, onEnd: traceCalls(run, "audit") }, signal);
    },
    failedNanos: (thrown) => {
      const { usage } = InferenceError.from(thrown).facts;
      const price = plain.deployment.price ?? plain.model.price;
      return usage === undefined || price === undefined ? undefined : costNanos(price, usage, new Date());
    },
  };
}
