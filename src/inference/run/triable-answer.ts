import type { ContentBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { actsAtProvider } from "../../hub/request-traits.ts";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import { MOST_TRIED_TOKENS, type TriableAnswer } from "../ports.ts";
import { askInBackground } from "./ask-in-background.ts";
import type { InferenceRun } from "./inference-run.ts";
import { traceCalls } from "./trace-call.ts";

/**
 * Returns a completed answer as other models may be tried on it; undefined where nothing was decided on who answers,
 * where the answer was chosen among several or came from another inference, and where the request is not to be sent
 * again: the provider does something for it, its conversation has state of its maker, or no judge could read it.
 */
export function triableAnswer(run: InferenceRun): TriableAnswer | undefined {
  const { winner, prompt, plan, input, response } = run;
  const { strategy, decision } = plan;
  if (winner === undefined || decision === undefined || !run.finished) return undefined;
  // Those that passed a check or were chosen are not like all that the model says.
  if (strategy.kind === "checked" || strategy.kind === "candidates") return undefined;
  if (input.compact || input.background || input.n > 1) return undefined;
  // It goes on with the model that it began with, whatever is known of others.
  if (decision.kept === "conversation" || actsAtProvider(prompt.input) || !isReadable(prompt.input)) return undefined;
  const promptTokens = estimateInputTokens(prompt.input);
  if (promptTokens > MOST_TRIED_TOKENS) return undefined;
  const { losses } = winner.request;
  const { streamed, principal } = run;
  const onEnd = traceCalls(run, "trial");
  return {
    inferenceId: run.id,
    projectId: principal.projectId,
    model: plan.model.name,
    servedModel: winner.begun.planned.model.name,
    decision,
    input: prompt.input,
    response,
    promptTokens,
    ask: (planned, signal) =>
      askInBackground(prompt, { planned, losses, streamed, projectId: principal.projectId, onEnd }, signal),
  };
}

/** Returns whether all is texts and calls of tools: no state of a maker, nothing that a judge cannot see. */
export function isReadable({ system, messages }: HubInput): boolean {
  return system.every(isText) && messages.every(({ content }) => content.every(isText));
}

function isText({ kind }: ContentBlock): boolean {
  switch (kind.case) {
    case "text":
    case "refusal":
    case "toolUse":
      return true;
    case "toolResult":
      return kind.value.content.every(isText);
    case "thinking":
      return !kind.value.opaque;
    default:
      return false;
  }
}
