import type { FeedbackEvent } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { type FeedbackTarget, writeAnswerId } from "../hub/answer-ids.ts";
import { Capacity } from "../hub/capacity.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Principal } from "../hub/principal.ts";
import { behindCalls, mapBehindCalls } from "../lib/behind-calls.ts";
import { derivedId, newId } from "../lib/ids.ts";
import { draftEvent, type EventDraft, missingInference } from "./draft-event.ts";
import { failed } from "./failures.ts";
import { type Find, findInferences, isRight, type Step } from "./find-inferences.ts";
import { findSessions } from "./find-sessions.ts";
import type { CountValues, FeedbackPorts, NewFeedbackEntry } from "./ports.ts";
import { boundTakenBack, deleteEntry, takeBackNames } from "./take-back.ts";

/** Most events of one batch that a feedback token sends. */
const MAX_TOKEN_EVENTS = 20;

/** Checks the size of a batch that a feedback token sends. Throws INVALID_REQUEST. */
function checkTokenBatch(events: number): void {
  if (events <= MAX_TOKEN_EVENTS) return;
  const problem = `must be at most ${MAX_TOKEN_EVENTS} where a feedback token sends them, not ${events}`;
  throw InferenceError.invalid("events", problem);
}

/** Checks that an event is on what a feedback token is for. Throws PERMISSION_DENIED. */
function checkTokenTarget(allowed: FeedbackTarget, { inferenceId, attempt, sessionId }: FeedbackTarget): void {
  const isSame = inferenceId === allowed.inferenceId && attempt === allowed.attempt && sessionId === allowed.sessionId;
  if (isSame) return;
  const param = sessionId === null ? "inference_id" : "session_id";
  const message = `${param}: is not what this feedback token is for: send feedback on that alone`;
  throw new InferenceError(ErrorReason.PERMISSION_DENIED, message, { param });
}

/** Takes feedback. */
export interface FeedbackService {
  /**
   * Stores a batch; each event succeeds or fails whole and on its own, in the order of the events. Rejects with
   * RATE_LIMITED or UNAVAILABLE where too many events are on their way. What has a call's id is stored once, however
   * often the call is made.
   */
  createFeedback(events: readonly FeedbackEvent[], principal: Principal, callId?: string): Promise<FeedbackOutcome[]>;
  /**
   * Takes an entry back for the one who sent it. Rejects with NOT_FOUND for any other, and UNAVAILABLE where it may
   * still be on its way.
   */
  deleteFeedback(id: string, principal: Principal): Promise<void>;
}

/** The outcome of an event: its stored entries, or the error. */
export type FeedbackOutcome = readonly StoredEntry[] | InferenceError;

/** An entry that was stored. */
interface StoredEntry extends Pick<NewFeedbackEntry, "id" | "name" | "content" | "inferenceId" | "sessionId"> {
  /** A warning to the sender: another kind of value than the name has had. */
  readonly warning?: string;
}

/** The sender of a batch. */
interface Sender {
  readonly principal: Principal;
  /** Id of a call that may be made again; undefined for one that is made once. */
  readonly callId: string | undefined;
}

/** While the database is away every call fails: one line tells of many. */
const LOG_PERIOD_MS = 10_000;

/** A batch of 10,000 takes a second on a busy machine. */
const RETRY_AFTER_MS = 1000;

/** Entries that are stored at once; a large batch is stored in several steps. */
const ENTRIES_AT_ONCE = 500;

/** Creates the bound on how many events are on their way at once. */
export function createFeedbackCapacity(most: number, projectShare: number): Capacity {
  const remedy = "wait for the answers to some of them";
  return new Capacity({
    name: "feedback events on their way",
    remedy,
    retryAfterMs: RETRY_AFTER_MS,
    most,
    projectShare,
  });
}

/** Creates the service. */
export function createFeedbackService(given: FeedbackPorts): FeedbackService {
  const ports = { ...given, log: sparing(given.log) };
  return {
    async createFeedback(events, principal, callId) {
      if (principal.feedbackOn !== undefined) checkTokenBatch(events.length);
      const refusal = ports.capacity.check(principal, events.length);
      if (refusal !== undefined) throw refusal;
      ports.capacity.add(principal, events.length);
      try {
        const outcomes = await storeAll(ports, events, { principal, callId });
        ports.count?.(outcomes.map((outcome) => (isRight(outcome) ? undefined : outcome.reason)));
        return outcomes;
      } finally {
        ports.capacity.remove(principal, events.length);
      }
    },
    async deleteFeedback(id, principal) {
      const refusal = ports.capacity.check(principal);
      if (refusal !== undefined) throw refusal;
      ports.capacity.add(principal);
      try {
        await deleteEntry(ports, id, principal);
      } finally {
        ports.capacity.remove(principal);
      }
    },
  };
}

async function storeAll(
  ports: FeedbackPorts,
  events: readonly FeedbackEvent[],
  sender: Sender,
): Promise<FeedbackOutcome[]> {
  const { projectId, feedbackOn } = sender.principal;
  const take = feedbackOn && (await ports.tokenValues.open(feedbackOn, projectId));
  const drafted = await mapBehindCalls(events, (event) => tryDraft(event, feedbackOn, take));
  const drafts = boundTakenBack(await withSessions(ports, drafted, sender.principal));
  const find = await findInferences(ports, drafts.filter(isRight), projectId);
  const outcomes: FeedbackOutcome[] = [];
  for (const chunk of chunksOf(drafts)) {
    await behindCalls();
    const at = outcomes.length;
    // Only the first of a part takes anything back.
    const [first] = chunk;
    const begun = first !== undefined && isRight(first) ? await takeBack(ports, first, find, sender) : first;
    const batches = chunk.map((own, index) => {
      const draft = index === 0 && begun !== undefined ? begun : own;
      return isRight(draft) ? toEntries(draft, find, { ...sender, position: at + index }) : draft;
    });
    const entries = batches.filter(isRight).flat();
    // A stranger is not told what a project's values are.
    const isProjectsOwn = feedbackOn === undefined;
    if (isProjectsOwn) await ports.kinds.open(entries);
    const failure = await insert(ports, entries);
    const stored = (batch: readonly NewFeedbackEntry[]) =>
      isProjectsOwn ? batch.map((entry) => warn(ports, entry)) : batch;
    outcomes.push(...batches.map((batch) => (isRight(batch) ? (failure ?? stored(batch)) : batch)));
  }
  return outcomes;
}

function warn({ kinds }: FeedbackPorts, entry: NewFeedbackEntry): StoredEntry {
  const warning = kinds.note(entry);
  return warning === undefined ? entry : { ...entry, warning };
}

async function withSessions(
  { inferences, log }: FeedbackPorts,
  drafts: readonly Step<EventDraft>[],
  principal: Principal,
): Promise<readonly Step<EventDraft>[]> {
  try {
    return await findSessions(inferences, drafts, principal);
  } catch (error) {
    log?.error({ err: error }, "cannot look up the sessions that feedback is on");
    return drafts.map((draft) => (isRight(draft) && draft.sessionId !== null ? failed(error) : draft));
  }
}

/** Returns a log that tells the first of several like failures; each has its caller told as well. */
function sparing(log: FeedbackPorts["log"]): FeedbackPorts["log"] {
  const loggedAtMs = new Map<string, number>();
  return (
    log && {
      error(facts, message) {
        const now = performance.now();
        if (now - (loggedAtMs.get(message) ?? Number.NEGATIVE_INFINITY) < LOG_PERIOD_MS) return;
        loggedAtMs.set(message, now);
        log.error(facts, message);
      },
    }
  );
}

/**
 * Parts of a batch that have about as many values as are stored at once; the values of one event stay together. What
 * takes something back begins a part: what came before it is stored then.
 */
function* chunksOf(drafts: readonly Step<EventDraft>[]): Generator<readonly Step<EventDraft>[]> {
  let begin = 0;
  let entries = 0;
  for (const [index, draft] of drafts.entries()) {
    if (index > begin && isRight(draft) && draft.takenBack.length > 0) {
      yield drafts.slice(begin, index);
      begin = index;
      entries = 0;
    }
    entries += isRight(draft) ? 1 + draft.values.length : 1;
    if (entries < ENTRIES_AT_ONCE && index < drafts.length - 1) continue;
    yield drafts.slice(begin, index + 1);
    begin = index + 1;
    entries = 0;
  }
}

/** Drafts an event; `allowed` is the only target of a caller with a token, whose values `take` counts. */
function tryDraft(
  event: FeedbackEvent,
  allowed: FeedbackTarget | undefined,
  take: CountValues | undefined,
): Step<EventDraft> {
  try {
    const draft = draftEvent(event);
    if (allowed !== undefined) checkTokenTarget(allowed, draft);
    take?.(draft);
    return draft;
  } catch (thrown) {
    if (thrown instanceof InferenceError) return thrown;
    throw thrown;
  }
}

/** Takes back what an event says null of. */
async function takeBack(
  ports: FeedbackPorts,
  draft: EventDraft,
  find: Find,
  { principal }: Sender,
): Promise<Step<EventDraft>> {
  const known = find(draft);
  // Of what is not here, toEntries() tells.
  const isHere = !(known instanceof InferenceError) && known?.projectId === principal.projectId;
  return isHere && draft.takenBack.length > 0 ? await takeBackNames(ports, draft, principal) : draft;
}

function toEntries(
  draft: EventDraft,
  find: Find,
  { principal, callId, position }: Sender & { readonly position: number },
): Step<NewFeedbackEntry[]> {
  const inference = find(draft);
  if (inference instanceof InferenceError) return inference;
  if (inference?.projectId !== principal.projectId) return missingInference(writeAnswerId(draft));
  const { projectId, model, workload } = inference;
  const createdAt = new Date();
  return draft.values.map(({ name, content, reason }) => ({
    id: callId === undefined ? newId() : derivedId(callId, `${position} ${name}`),
    inferenceId: draft.inferenceId,
    attempt: draft.attempt,
    sessionId: draft.sessionId,
    projectId,
    model,
    workload,
    keyId: principal.keyId,
    rater: principal.feedbackOn?.rater ?? null,
    name,
    content,
    // The reason of the score itself is nearer to the entry than a tag of that name on the whole event.
    tags: reason === undefined ? draft.tags : { ...draft.tags, reason },
    optimize: draft.optimize,
    createdAt,
  }));
}

/** Stores the entries of all events; returns the failure that they all share, if it fails. */
async function insert(ports: FeedbackPorts, entries: readonly NewFeedbackEntry[]): Promise<InferenceError | undefined> {
  if (entries.length === 0) return undefined;
  try {
    await ports.feedback.insert(entries);
    return undefined;
  } catch (error) {
    ports.log?.error({ err: error, entries: entries.length }, "cannot store feedback");
    return failed(error);
  }
}
