import { create } from "@bufbuild/protobuf";
import { type CallFacts, CallFactsSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { CACHE_KEY_SOURCE, CONVERSATION_SOURCE } from "../../hub/sessions.ts";
import type { Prompt } from "../history/history.ts";

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
export function sessionOf(
  input: Pick<HubInput, "facts" | "conversationId">,
  prompt: Pick<Prompt, "firstId">,
): CallFacts | undefined {
  const facts = factsWithSession(input, prompt);
  return facts === undefined || facts.sessionId === "" ? undefined : facts;
}
