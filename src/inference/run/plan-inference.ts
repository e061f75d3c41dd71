import type { KeyObject } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { type CallFacts, CallFactsSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import type { Principal } from "../../hub/principal.ts";
import { CACHE_KEY_SOURCE, CONVERSATION_SOURCE } from "../../hub/sessions.ts";
import type { Upstream, UpstreamTarget } from "../../hub/upstream.ts";
import { newId } from "../../lib/ids.ts";
import { Signer } from "../../lib/signer.ts";
import { RefusedAttempt, refusing } from "../attempts/refused-attempt.ts";
import type { RunFacts } from "../attempts/run-facts.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Prompt } from "../history/history.ts";
import { prepareAtPlaces } from "../history/history-places.ts";
import type { ItemIndex } from "../history/item-index.ts";
import { latestMaker, type OpenedInput } from "../history/open-input.ts";
import { readRecalledPrompt } from "../history/read-recalled-prompt.ts";
import { awaitingModel } from "../history/tool-ids.ts";
import type { InferenceArchive, PlanContext, Router } from "../ports.ts";

/** The ports of planning. */
interface PlanPorts {
  readonly router: Router;
  readonly archive: InferenceArchive;
  readonly conversations: Pick<Conversations, "items">;
  readonly items?: ItemIndex;
  readonly signingKey: KeyObject;
}

/** Reads the conversation that a request continues, and plans with what is then known. Throws InferenceError. */
export async function planInference(
  input: HubInput,
  { principal, inferenceId: id = newId() }: { readonly principal: Principal; readonly inferenceId?: string },
  ports: PlanPorts,
  { streamed, isAnswered }: Pick<PlanContext, "streamed" | "isAnswered">,
): Promise<Pick<RunFacts, "id" | "prompt" | "plan">> {
  const { projectId } = principal;
  const signer = new Signer(ports.signingKey, projectId);
  const prompt = await readRecalledPrompt(input, { projectId, signer }, ports);
  const context: PlanContext = {
    inferenceId: id,
    principal,
    workload: input.workload,
    streamed,
    isAnswered,
    session: () => getSession(input, prompt),
    origin: () => latestMaker(prompt),
    awaiting: () => awaitingModel(signer, prompt.input),
    lossesAt: (model, { upstream, deployment }) =>
      getLosses(upstream, prompt, { model, deployment, streamed, inferenceId: id, projectId }),
  };
  const recalling = ports.router.recall?.(prompt.input, context);
  if (recalling !== undefined) await recalling;
  return { id, prompt, plan: ports.router.plan(prompt.input, context) };
}

/**
 * Translates a prompt for a place without sending it, and returns what it would lose there; undefined if it would be
 * refused.
 */
function getLosses(upstream: Upstream, prompt: Prompt, target: UpstreamTarget): readonly string[] | undefined {
  try {
    return refusing(() => {
      const place = { upstream, deployment: target.deployment };
      const prepare = ({ input, own }: OpenedInput) => upstream.prepare(input, { ...target, ownReasoning: own });
      return prepareAtPlaces(prompt, place, prepare).losses;
    });
  } catch (thrown) {
    if (thrown instanceof RefusedAttempt) return undefined;
    throw thrown;
  }
}

/** Returns the facts of a request with its session, where what it continues says more of that than its caller. */
export function factsWithSession(
  { facts, conversationId }: Pick<HubInput, "facts" | "conversationId">,
  { firstId }: Pick<Prompt, "firstId">,
): CallFacts | undefined {
  const conversation = conversationId?.toLowerCase() ?? firstId;
  if (conversation === undefined) return facts;
  if (facts !== undefined && facts.sessionId !== "" && facts.sessionSource !== CACHE_KEY_SOURCE) return facts;
  const session = { sessionId: conversation, sessionSource: CONVERSATION_SOURCE };
  return facts === undefined ? create(CallFactsSchema, session) : { ...facts, ...session };
}

/** Returns the session of a request; undefined if it has none. */
function getSession(
  input: Pick<HubInput, "facts" | "conversationId">,
  prompt: Pick<Prompt, "firstId">,
): CallFacts | undefined {
  const facts = factsWithSession(input, prompt);
  return facts === undefined || facts.sessionId === "" ? undefined : facts;
}
