import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { QuotaState } from "../../gen/attune/quota/v1/quota_pb.ts";
import { costOfTokens } from "../catalog/cost.ts";
import { dearestCost } from "../catalog/dearest-cost.ts";
import { boundInputTokens, estimateInputTokens } from "../hub/tokens/estimate-tokens.ts";
import type {
  AdmittedCall,
  AttemptQuota,
  CallLimiter,
  CallOutcome,
  CallQuota,
  PricedPlace,
} from "../inference/ports.ts";
import { CallCeiling, checkBounded } from "./call-ceiling.ts";
import { callTerms } from "./call-terms.ts";
import type { QuotaBook, SubjectQuota } from "./quota.ts";
import { type Amounts, QUOTA_RULES } from "./quota-fields.ts";
import type { QuotaLedger, Reservation } from "./quota-ledger.ts";
import { hasLimitOn, listLimits } from "./quota-limits.ts";
import type { QuotaRefusal } from "./quota-refusal.ts";
import { quotaToMessage } from "./quota-state.ts";
import { forbiddenModelError, quotaError, unpricedError } from "./refuse-call.ts";
import { UsualAnswers } from "./usual-answers.ts";

/** Counts by subject what calls under way may cost beyond what they have reserved, in nano-USD. */
class AtRisk {
  readonly #nanos = new Map<string, number>();

  of(subject: string): number {
    return this.#nanos.get(subject) ?? 0;
  }

  /** Adds what a call may cost beyond its reservation, and returns a function that takes it off once. */
  add(quotas: readonly SubjectQuota[], nanos: number): () => void {
    if (nanos <= 0) return () => {};
    for (const { subject } of quotas) this.#nanos.set(subject, this.of(subject) + nanos);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const { subject } of quotas) {
        const rest = this.of(subject) - nanos;
        if (rest > 0) this.#nanos.set(subject, rest);
        else this.#nanos.delete(subject);
      }
    };
  }
}

/** The least that is reserved for an answer of whose workload nothing is known, in tokens. */
const LEAST_ANSWER = 1024;

/**
 * A budget is near its end where what calls under way and one more may take at most is more than this part of its rest.
 */
const PART_AT_RISK = 0.25;

/** The ports of a limiter. */
interface CallLimiterPorts {
  readonly book: QuotaBook;
  readonly ledger: QuotaLedger;
  /** Milliseconds since 1970, on the clock of the ledger. */
  readonly now: () => number;
  /**
   * What is reserved for an answer: what this workload's answers usually take, at most what the call may take, and all
   * of that where a budget is near its end and the call says it; or all of that in any case.
   */
  readonly reserve: () => "usual" | "bound";
  /** Returns true where a model that a caller may not call does not exist for them. */
  readonly hidesModels: () => boolean;
}

/** Creates the limiter of calls on a ledger. */
export function createCallLimiter(ports: CallLimiterPorts): CallLimiter {
  const usual = new UsualAnswers();
  const atRisk = new AtRisk();
  const find = ({ principal: { projectId, keyId }, input: { facts } }: Pick<AdmittedCall, "principal" | "input">) =>
    ports.book.find({ projectId, keyId, endUserId: facts?.endUserId || undefined, tags: facts?.tags ?? {} });
  const check = (quotas: readonly SubjectQuota[], { model: { name }, unknownModel }: AdmittedCall): void => {
    const owner = findForbidding(quotas, name);
    if (owner !== undefined) throw ports.hidesModels() ? unknownModel() : forbiddenModelError(name, owner);
  };
  const begin = (call: AdmittedCall): CallQuota | undefined | Promise<CallQuota> => {
    const quotas = find(call);
    if (quotas.length === 0 && call.input.maxCostNanos === undefined) return undefined;
    check(quotas, call);
    const reserved = ports.ledger.reserve(quotas, { requests: 1, canceledCalls: 1 });
    const open = (found: Reservation | QuotaRefusal): CallQuota => {
      if ("rule" in found) throw quotaError(found, ports.now());
      return new LedgerQuota({ ...ports, ...call, quotas, usual, atRisk, request: found });
    };
    return reserved instanceof Promise ? reserved.then(open) : open(reserved);
  };
  return {
    begin(call) {
      const known = ports.book.changing?.(call.principal.projectId);
      return known === undefined ? begin(call) : known.then(() => begin(call));
    },
    mayCall: ({ projectId, keyId }, model) =>
      findForbidding(ports.book.find({ projectId, keyId, endUserId: undefined, tags: {} }), model) === undefined,
    checkModel: (call) => check(find(call), call),
  };
}

/** Returns the first whose quota does not have a model. */
function findForbidding(quotas: readonly SubjectQuota[], name: string): SubjectQuota | undefined {
  return quotas.find(({ quota: { models } }) => models !== undefined && !models.includes(name));
}

/** The facts of a call that is counted. */
interface CountedCall extends CallLimiterPorts, AdmittedCall {
  readonly quotas: readonly SubjectQuota[];
  readonly usual: UsualAnswers;
  readonly atRisk: AtRisk;
  /** Holds the request and its place among the calls in flight. */
  readonly request: Reservation;
}

class LedgerQuota implements CallQuota {
  readonly #call: CountedCall;
  readonly #countsTokens: boolean;
  /** The owner of a budget in USD. */
  readonly #payer: SubjectQuota | undefined;
  readonly #ceiling: CallCeiling | undefined;
  readonly #workload: string;
  #first: AttemptQuota | undefined;
  #hasTaken = false;

  constructor(call: CountedCall) {
    this.#call = call;
    const counts = (amount: keyof Amounts) => call.quotas.find(({ quota }) => hasLimitOn(quota, amount));
    this.#payer = counts("costNanos");
    const { principal, model, input } = call;
    this.#workload = `${principal.projectId} ${model.name} ${input.workload}`;
    const { maxCostNanos } = input;
    this.#ceiling = maxCostNanos === undefined ? undefined : new CallCeiling(Number(maxCostNanos));
    this.#countsTokens =
      (this.#ceiling ?? this.#payer ?? counts("inputTokens") ?? counts("outputTokens")) !== undefined;
  }

  reserveFirst(place: PricedPlace, prompt: InferenceInput): void | Promise<void> {
    const keep = (reserved: AttemptQuota): void => {
      this.#first = reserved;
    };
    // Each of several choices is a call of its own, and all of them are given or none.
    const reserved = this.#reserve(place, prompt, Math.max(1, this.#call.input.n / (place.answers ?? 1)));
    return reserved instanceof Promise ? reserved.then(keep) : keep(reserved);
  }

  reserve(place: PricedPlace, prompt: InferenceInput): AttemptQuota | Promise<AttemptQuota> {
    const first = this.#first;
    this.#first = undefined;
    return first ?? this.#reserve(place, prompt);
  }

  states(): QuotaState[] {
    const { quotas, ledger } = this.#call;
    return ledger.tightest(quotas).map(quotaToMessage);
  }

  end(outcome: CallOutcome): void {
    this.#first?.settle({});
    this.#first = undefined;
    const requests = outcome === "answered" || this.#hasTaken ? 1 : 0;
    this.#call.request.settle({ requests, canceledCalls: outcome === "canceled" ? 1 : 0 });
  }

  /** Reserves for one attempt; `attempts` are those for which the ceiling of the call has to have room. */
  #reserve(place: PricedPlace, prompt: InferenceInput, attempts = 1): AttemptQuota | Promise<AttemptQuota> {
    if (!this.#countsTokens) return UNCOUNTED;
    const { ledger, quotas, now, atRisk } = this.#call;
    const { amounts, mostNanos } = this.#estimate(place, prompt);
    const spend = this.#ceiling?.reserve({ nanos: mostNanos, model: place.model.name, attempts });
    const open = (found: Reservation | QuotaRefusal): AttemptQuota => {
      if ("rule" in found) {
        spend?.(0);
        throw quotaError(found, now());
      }
      const takeOffRisk = this.#payer && atRisk.add(quotas, (mostNanos ?? 0) - amounts.costNanos);
      return {
        settle: (taken) => {
          takeOffRisk?.();
          spend?.(taken.costNanos ?? 0);
          this.#settle(found, taken, place.answers);
        },
      };
    };
    const reserved = ledger.reserve(quotas, amounts);
    return reserved instanceof Promise ? reserved.then(open) : open(reserved);
  }

  #settle(
    reserved: Reservation,
    { usage, lost = [], costNanos, outcome }: Parameters<AttemptQuota["settle"]>[0],
    answers = 1,
  ): void {
    // An attempt that was refused has no tokens but those that it lost with its connection before it was sent again.
    const all = usage === undefined ? lost : [usage, ...lost];
    if (all.length === 0 && costNanos === undefined) {
      reserved.release();
      return;
    }
    this.#hasTaken = true;
    // What was broken off says nothing of how long answers are.
    if (outcome === "completed" && usage) this.#call.usual.add(this.#workload, usage.outputTokens / answers);
    const inputTokens = all.reduce((sum, each) => sum + promptTokens(each), 0);
    const outputTokens = all.reduce((sum, each) => sum + each.outputTokens, 0);
    reserved.settle({ inputTokens, outputTokens, costNanos: costNanos ?? 0 });
  }

  /** Returns what is reserved for an attempt, and the most that it may cost where its price is known. */
  #estimate({ model, deployment, answers = 1 }: PricedPlace, prompt: InferenceInput) {
    const price = deployment.price ?? model.price;
    if (this.#payer !== undefined && price === undefined) throw unpricedError(model.name, this.#payer);
    const { input, usual, reserve } = this.#call;
    const bound = answers * Math.min(input.maxOutputTokens ?? Number.POSITIVE_INFINITY, model.maxOutputTokens);
    const expected = reserve() === "bound" ? bound : answers * Math.max(LEAST_ANSWER, usual.usual(this.#workload));
    const inputTokens = estimateInputTokens(prompt);
    const outputTokens = Math.min(bound, expected);
    if (price === undefined || (this.#payer ?? this.#ceiling) === undefined) {
      return { amounts: { inputTokens, outputTokens, costNanos: 0 }, mostNanos: undefined };
    }
    const terms = callTerms(prompt, price);
    const most = (output: number) => dearestCost(price, { input: boundInputTokens(prompt, model), output }, terms);
    const { nanos: mostNanos, gaps } = most(bound);
    if (this.#ceiling !== undefined) checkBounded(gaps);
    const isUsual = reserve() === "usual" && !this.#isNearEnd(mostNanos);
    // A call that does not say how long its answer may be could seldom be made if it reserved all of its model's.
    const dearest = input.maxOutputTokens === undefined && reserve() === "usual" ? most(outputTokens).nanos : mostNanos;
    const costNanos = isUsual ? costOfTokens(price, { input: inputTokens, output: outputTokens }) : dearest;
    return { amounts: { inputTokens, outputTokens, costNanos }, mostNanos };
  }

  /** Returns whether a budget has too little left for what calls under way may take beyond their reservations. */
  #isNearEnd(mostNanos: number): boolean {
    const { quotas, ledger, atRisk } = this.#call;
    return quotas.some(({ subject, quota }) =>
      listLimits(quota).some(
        ({ rule, limit }) =>
          QUOTA_RULES[rule].amount === "costNanos" &&
          atRisk.of(subject) + mostNanos > PART_AT_RISK * (limit - ledger.used(subject, rule)),
      ),
    );
  }
}

/** Of a call that nothing limits but its number. */
const UNCOUNTED: AttemptQuota = { settle: () => {} };

function promptTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}
