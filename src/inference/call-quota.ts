import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { QuotaState } from "../../gen/attune/quota/v1/quota_pb.ts";
import type { CatalogModel, Deployment } from "../catalog/model.ts";
import type { InferenceError } from "../hub/error.ts";
import type { HubInput } from "../hub/input.ts";
import type { Principal } from "../hub/principal.ts";
import type { AttemptRecord } from "./records.ts";

/** A call whose caller was admitted, and whose model is known. */
export interface AdmittedCall {
  readonly principal: Principal;
  readonly input: HubInput;
  readonly model: CatalogModel;
  /** Returns the error for a model that there is not, of the name that the call has. */
  readonly unknownModel: () => InferenceError;
}

/** The place of an attempt, by which its cost is known. */
export interface PricedPlace {
  readonly model: CatalogModel;
  readonly deployment: Deployment;
  /** Answers that one call asks for; absent: one. */
  readonly answers?: number;
}

/** Limits what callers take: requests, tokens, money and models. */
export interface CallLimiter {
  /**
   * Counts a call that begins; undefined where nothing limits it. Throws, or rejects with, RATE_LIMITED or
   * QUOTA_EXCEEDED, PERMISSION_DENIED or MODEL_NOT_FOUND for a model that its caller may not call, and UNAVAILABLE
   * where its limits cannot be read.
   */
  begin(call: AdmittedCall): CallQuota | undefined | Promise<CallQuota | undefined>;
  /** Returns whether a caller may call a model, by its name without the prefix, for whatever end user and tags. */
  mayCall(principal: Principal, model: string): boolean;
  /** Throws as begin() does for a model that its caller may not call. */
  checkModel(call: AdmittedCall): void;
}

/** The end of a call: answered, canceled by its caller, or failed. */
export type CallOutcome = "answered" | "canceled" | "failed";

/** The part of its limits that one call takes. */
export interface CallQuota {
  /**
   * Reserves for the first attempt what that may take, so that a call that has no room is refused before anything is
   * kept of it. Throws or rejects as reserve() does.
   */
  reserveFirst(place: PricedPlace, prompt: InferenceInput): void | Promise<void>;
  /**
   * Reserves what an attempt may take, unless that was done. Throws or rejects as begin() does; throws INVALID_REQUEST
   * where the call may then cost more than its ceiling, which an attempt elsewhere may keep.
   */
  reserve(place: PricedPlace, prompt: InferenceInput): AttemptQuota | Promise<AttemptQuota>;
  /** Returns of each rule the limit that has least left for the call, with what is left of it now. */
  states(): QuotaState[];
  /** The call has ended. Only the first of these counts. */
  end(outcome: CallOutcome): void;
}

/** The part that one attempt of a call takes. */
export interface AttemptQuota {
  /** Replaces what was reserved with what the attempt took; only the first of these counts. */
  settle(taken: Partial<Pick<AttemptRecord, "usage" | "lost" | "costNanos" | "outcome">>): void;
}
