import type { KeyObject } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import {
  CallFactsSchema,
  type CountTokensResponse,
  type GenerateResponse,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { IdempotencyKey } from "../../hub/idempotency-key.ts";
import type { HubInput } from "../../hub/input.ts";
import type { Principal } from "../../hub/principal.ts";
import { packRequest } from "../../hub/request-bytes.ts";
import type { RequestSummary } from "../../hub/request-summary.ts";
import type { EstimateTokens, EventSink } from "../../hub/upstream.ts";
import { hiddenCharacterProblem } from "../../lib/hidden-characters.ts";
import { withoutEchoes } from "../attempts/cut-echoes.ts";
import type { RunFacts } from "../attempts/run-facts.ts";
import { choicesPerCall } from "../attempts/strategy.ts";
import { type Background, checkStorable } from "../background/background.ts";
import { ResponseCache } from "../coalescing/response-cache.ts";
import { SharedCalls } from "../coalescing/shared-calls.ts";
import { addAnswer } from "../conversations/add-answer.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { toCompaction } from "../history/compaction.ts";
import { noConversation } from "../history/history.ts";
import { ItemIndex } from "../history/item-index.ts";
import { keepsNoTexts } from "../history/read-stored.ts";
import type {
  AdmittedCall,
  AnswerAudit,
  AnswerTrials,
  AttemptWatch,
  CallLimiter,
  CallQuota,
  InferenceArchive,
  Recorder,
  Refusal,
  ResponseCacheStore,
  Router,
  StoredInference,
} from "../ports.ts";
import { AnswerDispatch, type AnsweringParts } from "./answer-dispatch.ts";
import { auditedAnswer } from "./audited-answer.ts";
import { countTokens } from "./count-tokens.ts";
import { counted } from "./counted.ts";
import { createDeadline, type Deadline, withinDeadline } from "./deadline.ts";
import type { InFlight } from "./in-flight.ts";
import { InferenceRun } from "./inference-run.ts";
import { noRoom } from "./no-room.ts";
import { planInference } from "./plan-inference.ts";
import { triableAnswer } from "./triable-answer.ts";
import { WaitingRequests } from "./waiting-requests.ts";

/** An admitted caller. */
export interface Caller {
  readonly principal: Principal;
  /** The key under which the call is answered once; undefined without. */
  readonly idempotency?: IdempotencyKey;
  /** The id of the inference where it is known before; a new one if absent. */
  readonly inferenceId?: string;
  /** The summary of the request; undefined where nobody makes one. */
  readonly summary?: RequestSummary | undefined;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  /** The time that it waits for a whole answer, or for the beginning of a stream; undefined if it does not say. */
  readonly timeoutMs?: number;
}

/** A caller who does not wait for the answer. */
type BackgroundCaller = Omit<Caller, "signal" | "timeoutMs">;

/** Runs inferences. */
export interface InferenceService {
  /** Answers whole. Throws InferenceError. */
  generate(input: HubInput, caller: Caller): Promise<GenerateResponse>;
  /**
   * Hands the answer to the sink, one batch of events for each read of the upstream; resolves at its end. Throws
   * InferenceError.
   */
  stream(input: HubInput, caller: Caller, sink: EventSink): Promise<void>;
  /** Begins an answer that goes on without its caller, and returns what there is of it. Throws InferenceError. */
  begin(input: HubInput, caller: BackgroundCaller, streamed: boolean): Promise<StoredInference>;
  /** Counts the tokens of a prompt. Throws InferenceError. */
  countTokens(input: HubInput, caller: Caller): Promise<CountTokensResponse>;
}

/** The ports of the service. */
export interface InferenceServicePorts {
  readonly router: Router;
  readonly recorder: Recorder;
  readonly inFlight: InFlight;
  /** The archive of inferences that continue. */
  readonly archive: InferenceArchive;
  readonly conversations: Pick<Conversations, "items" | "append">;
  /** Limits what callers take; nothing is limited if absent. */
  readonly limiter?: CallLimiter;
  /** Throws INVALID_REQUEST for an input that breaks the rules of its proto. */
  readonly validate: (input: HubInput) => void;
  readonly estimateTokens: EstimateTokens;
  /** Secret of the installation: signs what callers are given to send back. */
  readonly signingKey: KeyObject;
  /** Answers that may be given again; none if absent. */
  readonly responseCache?: ResponseCacheStore;
  /** The background, where answers are made without their callers. */
  readonly background: Pick<Background, "begin">;
  readonly attempts?: AttemptWatch;
  /** Compares answers with those of plain calls; absent: nothing is compared. */
  readonly audit?: AnswerAudit | undefined;
  /** Tries other models; absent: none is tried. */
  readonly trials?: AnswerTrials | undefined;
  /** The time that any caller waits, over all attempts; no limit if absent. */
  readonly totalMs?: number | undefined;
  /** Hears why the tokens of a prompt were not counted. */
  readonly countRefused?: (refusal: Refusal) => void;
}

/** Creates the service: read the history, plan, attempt, record. */
export function createInferenceService(ports: InferenceServicePorts): InferenceService {
  return new PortedService(ports);
}

class PortedService implements InferenceService {
  readonly #ports: InferenceServicePorts & { readonly items: ItemIndex };
  /** The parts that all of its answers share. */
  readonly #parts: AnsweringParts;

  constructor(ports: InferenceServicePorts) {
    this.#ports = { ...ports, items: new ItemIndex() };
    this.#parts = {
      recorder: ports.recorder,
      inFlight: ports.inFlight,
      waiting: new WaitingRequests(packRequest),
      shared: new SharedCalls(),
      cached: ports.responseCache && new ResponseCache(ports.responseCache),
      mayBegin: (role) => ports.router.mayBegin(role),
    };
  }

  async generate(input: HubInput, caller: Caller): Promise<GenerateResponse> {
    const { response, winner, prompt } = await this.#answer(input, caller);
    return input.compact && winner !== undefined ? toCompaction(response, winner.place, prompt.signer) : response;
  }

  async stream(input: HubInput, caller: Caller, sink: EventSink): Promise<void> {
    if (input.compact) throw InferenceError.invalid("compact", "a compaction cannot be streamed: call Generate");
    await this.#answer(input, caller, sink);
  }

  async begin(received: HubInput, caller: BackgroundCaller, streamed: boolean): Promise<StoredInference> {
    const { principal, summary } = caller;
    const { recorder, attempts: watch, archive, background } = this.#ports;
    if (!recorder.accepting) throw noRoom();
    checkStorable(received, keepsNoTexts(received, principal.projectId, archive));
    const input: HubInput = { ...received, background: true };
    const call = this.#check(input, caller);
    const begun = this.#ports.limiter?.begin(call);
    const quota = begun instanceof Promise ? await begun : begun;
    try {
      const planned = await this.#planWithin(quota, call, caller, streamed);
      const facts = { ...planned, principal, input, streamed, watch, quota };
      const run = new InferenceRun({ ...facts, summary: summary?.inBackground(), background: true });
      if (summary !== undefined) summary.inferenceId = run.id;
      const { id, startedAt } = run;
      const { projectId, keyId } = principal;
      const entry = {
        id,
        startedAt,
        streamed,
        input,
        projectId,
        keyId,
        model: run.plan.model.name,
        previousId: run.prompt.previousId,
      };
      return await background.begin(entry, (answer) =>
        counted(quota, async () => {
          const sink = this.#adding(run, (events) => answer.take(events));
          await new AnswerDispatch({ run, sink, coalescing: undefined }, this.#parts).answer(answer.signal);
          this.#offer(run);
        }),
      );
    } catch (thrown) {
      quota?.end("failed");
      throw thrown;
    }
  }

  async countTokens(input: HubInput, caller: Caller): Promise<CountTokensResponse> {
    const { principal, signal } = caller;
    const deadline = createDeadline(caller.timeoutMs, this.#ports.totalMs);
    this.#ports.limiter?.checkModel(this.#check(input, caller));
    const { prompt, plan, id } = await planInference(input, caller, this.#ports, {
      streamed: false,
      isAnswered: false,
    });
    try {
      const limits = { mayBegin: this.#parts.mayBegin, estimate: this.#ports.estimateTokens };
      const request = { id, prompt, projectId: principal.projectId, plan };
      return await withinDeadline(deadline, signal, (within) => countTokens(request, { ...limits, signal: within }));
    } catch (thrown) {
      const error = withoutEchoes(InferenceError.from(thrown), prompt.input);
      this.#ports.countRefused?.({ dialect: input.dialect, error });
      throw error;
    }
  }

  /** Checks what is asked, and returns it with the model that it names. */
  #check(input: HubInput, { principal, summary }: Pick<Caller, "principal" | "summary">): AdmittedCall {
    const { validate, router, limiter } = this.#ports;
    validate(input);
    const problem = hiddenCharacterProblem(input.workload);
    if (problem !== undefined) throw InferenceError.invalid("workload", problem);
    const mayCall = limiter && ((name: string) => limiter.mayCall(principal, name));
    const model = router.modelOf(input, principal.projectId, mayCall);
    if (summary !== undefined) summary.model = model.name;
    addKeyTags(input, principal);
    return { principal, input, model, unknownModel: () => router.unknownModel(input, mayCall) };
  }

  /** Plans an answer, and reserves what its first attempt may take. */
  async #planWithin(
    quota: CallQuota | undefined,
    { input }: AdmittedCall,
    caller: BackgroundCaller,
    streamed: boolean,
  ): Promise<Pick<RunFacts, "id" | "prompt" | "plan">> {
    const planned = await planInference(input, caller, this.#ports, { streamed, isAnswered: true });
    const [first] = planned.plan.strategy.attempts;
    const answers = choicesPerCall(input, planned.plan);
    const reserving = first && quota?.reserveFirst({ ...first, answers }, planned.prompt.input);
    if (reserving !== undefined) await reserving;
    return planned;
  }

  async #answer(input: HubInput, caller: Caller, sink?: EventSink): Promise<InferenceRun> {
    if (!this.#ports.recorder.accepting) throw noRoom();
    const deadline = createDeadline(caller.timeoutMs, this.#ports.totalMs);
    const call = this.#check(input, caller);
    const begun = this.#ports.limiter?.begin(call);
    const quota = begun instanceof Promise ? await begun : begun;
    return await counted(quota, () => this.#run(call, { caller, sink, quota, deadline }));
  }

  async #run(call: AdmittedCall, { caller, sink, quota, deadline }: WaitingCall): Promise<InferenceRun> {
    const { attempts: watch, router } = this.#ports;
    const { principal, input } = call;
    const streamed = sink !== undefined;
    const planned = await this.#planWithin(quota, call, caller, streamed);
    // Nobody else asked for the best of several, and what was chosen among them is not as the answers of the model are.
    const isOwn = input.compact || input.embedding !== undefined || planned.plan.strategy.kind === "candidates";
    const coalescing = isOwn ? undefined : router.coalescing(input, { projectId: principal.projectId, streamed });
    const responseCacheKey = coalescing?.kept?.key;
    const { summary } = caller;
    const run = new InferenceRun({ ...planned, principal, input, streamed, watch, quota, summary, responseCacheKey });
    const work = { run, sink: this.#adding(run, sink ?? (() => {})), coalescing };
    await new AnswerDispatch(work, this.#parts).answer(caller.signal, deadline);
    this.#offer(run);
    return run;
  }

  /** Returns a sink that adds what was asked and answered to the conversation that the request names, if any. */
  #adding({ input, principal }: InferenceRun, sink: EventSink): EventSink {
    const { conversationId } = input;
    if (conversationId === undefined) return sink;
    return addAnswer(sink, async (answer) => {
      const items = [...input.messages, ...answer];
      const added = await this.#ports.conversations.append(conversationId.toLowerCase(), principal.projectId, items);
      if (added === undefined) throw noConversation(conversationId, "conversation_id");
    });
  }

  #offer(run: InferenceRun): void {
    const { audit, trials, items } = this.#ports;
    items.note(run);
    if (run.input.noTexts || run.input.embedding !== undefined) return;
    if (audit?.isSampled() === true) audit.offer(() => auditedAnswer(run));
    if (trials?.isSampled() === true) trials.offer(() => triableAnswer(run));
  }
}

/** A call with who waits for its answer. */
interface WaitingCall {
  readonly caller: Caller;
  readonly sink: EventSink | undefined;
  readonly quota: CallQuota | undefined;
  readonly deadline: Deadline | undefined;
}

/** Adds the tags of the key to those of its call, which cannot have others of these names. */
function addKeyTags(input: HubInput, { tags }: Principal): void {
  if (tags === undefined) return;
  const facts = input.facts ?? create(CallFactsSchema);
  input.facts = { ...facts, tags: { ...facts.tags, ...tags } };
}
