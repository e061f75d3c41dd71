import { writeAnswerId } from "../hub/answer-ids.ts";
import { InferenceError } from "../hub/error.ts";
import type { EventDraft } from "./draft-event.ts";
import { failed, unanswered } from "./failures.ts";
import type { FeedbackPorts, InferenceFacts } from "./ports.ts";

/** An event on its way: right so far, or failed. */
export type Step<T> = T | InferenceError;

/** Tells whether nothing is wrong so far. */
export function isRight<T>(step: Step<T>): step is T {
  return !(step instanceof InferenceError);
}

/** Tells of the inference of an answer, that there is none, or that the database cannot say. */
export type Find = (draft: EventDraft) => Step<InferenceFacts | undefined>;

/** Finds the inferences that events are on. */
export async function findInferences(
  ports: FeedbackPorts,
  drafts: readonly EventDraft[],
  projectId: string,
): Promise<Find> {
  const { inferences, log } = ports;
  const recent = new Map<string, InferenceFacts>();
  const others = new Set<string>();
  for (const { inferenceId } of drafts) {
    const facts = inferences.findRecent(inferenceId);
    if (facts === undefined) others.add(inferenceId);
    else recent.set(inferenceId, facts);
  }
  try {
    const stored = others.size === 0 ? undefined : await inferences.findStored([...others], projectId);
    const find = ({ inferenceId }: EventDraft) => {
      const facts = recent.get(inferenceId) ?? stored?.get(inferenceId);
      return facts === "unsure" ? unanswered() : facts;
    };
    const ofCandidates = drafts.filter(({ attempt }) => attempt !== null);
    return ofCandidates.length === 0 ? find : await findCandidates(ports, ofCandidates, { find, projectId });
  } catch (error) {
    log?.error({ err: error }, "cannot look up the inferences that feedback is on");
    return ({ inferenceId, attempt }) => (attempt === null ? recent.get(inferenceId) : undefined) ?? failed(error);
  }
}

/**
 * Returns a search that knows of candidates too: of an inference that is known, some answers have an id of their own.
 */
async function findCandidates(
  { inferences }: FeedbackPorts,
  drafts: readonly EventDraft[],
  { find, projectId }: { readonly find: Find; readonly projectId: string },
): Promise<Find> {
  const known = drafts.filter((draft) => {
    const facts = find(draft);
    return !(facts instanceof InferenceError) && facts?.projectId === projectId;
  });
  const candidates = known.length === 0 ? undefined : await inferences.findCandidates(known, projectId);
  return (draft) => {
    const facts = find(draft);
    if (draft.attempt === null || facts instanceof InferenceError) return facts;
    const candidate = candidates?.get(writeAnswerId(draft));
    return candidate === "unsure" ? unanswered() : candidate && facts;
  };
}
