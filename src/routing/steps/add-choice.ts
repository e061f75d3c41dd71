import type { CatalogModel } from "../../catalog/model.ts";
import type { HubInput } from "../../hub/input.ts";
import { CONVERSATION_SOURCE } from "../../hub/sessions.ts";
import { requestedForm } from "../../inference/checks/requested-form.ts";
import type { PlanContext } from "../../inference/ports.ts";
import { clusterId } from "../../learning/bandit/cluster-id.ts";
import { PromptFamilies } from "../../learning/families/prompt-families.ts";
import { readPromptText } from "../../learning/families/prompt-text.ts";
import type { LearnedWorkload } from "../../learning/workload.ts";
import { hashTexts } from "../../lib/hash.ts";
import { asksForChoices, asksForSeveral } from "../candidates/requested-candidates.ts";
import type { RoutingSnapshot } from "../routing-snapshot.ts";
import { type SessionId, sessionSeed } from "../session-choices.ts";
import { chooseModel, type ModelChoice } from "./choose-model.ts";
import { createFallbackModels, createFitting, type PlacesByModel } from "./fallback-models.ts";
import type { PlanDraft, PlanStep, RequestFacts } from "./plan-step.ts";

/** Creates the step that chooses who answers, where something is learned and more than one model may. */
export function createChoiceStep(
  { sandboxes, sessions: known }: Pick<RoutingSnapshot, "sandboxes" | "sessions">,
  places: PlacesByModel,
): PlanStep {
  const families = new PromptFamilies();
  const fallbackModels = createFallbackModels(places, sandboxes);
  const choose = (draft: PlanDraft, facts: RequestFacts): ModelChoice | undefined => {
    const { input, context, found } = facts;
    const { model, isDirected } = found;
    if (input.plain || isDirected || !context.isAnswered || input.embedding !== undefined) return undefined;
    const isOnly = !fallbackModels.areAny(model) && (model.candidates?.learned ?? "off") === "off";
    const workload = isOnly ? undefined : facts.workload();
    if (workload === undefined) return undefined;
    const sessions = workload.controls.unit === "session" ? known : undefined;
    const session = sessions && context.session();
    // Base gives several answers that are asked for: that says nothing of who answers in the session.
    const isOne = draft.candidates === undefined && input.n < 2;
    const choice = isOne && session ? sessions?.call(context.principal, session, model.name) : undefined;
    return chooseModel({
      base: model,
      workload,
      family: getPart(families, input, workload),
      context,
      session: choice,
      seed: choice?.seed ?? getSeed(facts, { sessions, session }),
      find: fallbackModels.finder(model),
      isMadeUp: fallbackModels.isMadeUp(model),
      fits: createFitting(input, model, { places, context }),
      isBestOfNAllowed: allowsBestOfN({
        input,
        model,
        context,
        workload,
        // A second call where a check fails is cheaper, and as right.
        isJudged: () => facts.judge !== undefined && draft.check === undefined,
      }),
    });
  };
  return (draft, facts) => {
    const choice = choose(draft, facts);
    return choice === undefined ? draft : { ...draft, choice };
  };
}

/**
 * Creates what looks up who answered in a session before. Before anything was learned of a workload base answers, so
 * nothing is looked up then.
 */
export function createRecall({ sessions, workloads }: Pick<RoutingSnapshot, "sessions" | "workloads">) {
  return (
    input: HubInput,
    { principal, isAnswered, session }: PlanContext,
    nameOf: () => string,
  ): Promise<void> | undefined => {
    if (sessions?.mayRecall !== true || input.plain || !isAnswered || input.embedding !== undefined) return undefined;
    const known = session();
    if (known === undefined) return undefined;
    const model = nameOf();
    const workload = workloads?.find({ projectId: principal.projectId, model });
    if (workload?.controls.mode !== "on" || workload.state.rewards === 0) return undefined;
    return sessions.recall(principal, known, model);
  };
}

/** Returns what chance is drawn from for a call. One without a session is the first of the chain that continues it. */
function getSeed(
  { context, found }: RequestFacts,
  { sessions, session }: Pick<RoutingSnapshot, "sessions"> & { readonly session: SessionId | undefined },
): number {
  const { inferenceId, principal } = context;
  if (sessions === undefined) return hashTexts([inferenceId, "model"]);
  const chain = { sessionSource: CONVERSATION_SOURCE, sessionId: inferenceId };
  return sessionSeed(principal, session ?? chain, found.model.name);
}

/** Names the family of a request, or the cluster of it where there are any. */
function getPart(families: PromptFamilies, input: HubInput, { state, clusters }: LearnedWorkload): string {
  const family = families.of(input, state.families);
  const known = clusters.get(family);
  if (known === undefined) return family;
  const cluster = known.find({
    get text() {
      return readPromptText(input);
    },
    get template() {
      return families.templateOf(input);
    },
  });
  return clusterId({ whole: family, generation: known.generation, cluster });
}

/** A request that the policy may have answered by several models at once. */
interface BestOfNFacts {
  readonly input: HubInput;
  readonly model: CatalogModel;
  readonly context: Pick<PlanContext, "streamed">;
  readonly workload: LearnedWorkload;
  /**
   * Returns whether a machine tells of what is asked for in a form whether it is of it, and nothing cheaper is done
   * with that.
   */
  readonly isJudged: () => boolean;
}

/**
 * Tells which arms of several answers a request may be given unasked: those that are not known to be slower than they
 * may be, where the choice among answers has proved itself, or a machine can make it; none else.
 */
export function allowsBestOfN(facts: BestOfNFacts): (arm: string) => boolean {
  const { model, context, workload } = facts;
  if (!workload.state.hasSeveral || !isBestOfNAllowed(facts)) return () => false;
  return (arm) => workload.latencies?.isTooSlow(arm, context.streamed, model.candidates?.maxSlowdown) !== true;
}

function isBestOfNAllowed({ input, model, context, workload, isJudged }: BestOfNFacts): boolean {
  const learned = model.candidates?.learned ?? "off";
  if (learned === "off" || (context.streamed && learned === "unary")) return false;
  if (input.compact || asksForSeveral(input) || asksForChoices(input)) return false;
  if (workload.selector?.isProven === true) return true;
  return isJudged() && requestedForm(input, model.checks)?.isStructured === true;
}
