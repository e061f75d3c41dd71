import type { Origin } from "../../inference/ports.ts";
import type { Comparison } from "./compare-answers.ts";
import { addComparison, type Difference, type Evidence, findDifference, NO_EVIDENCE } from "./evidence.ts";

/** A deployment of a model. */
export interface AuditKey {
  /** Model without the prefix. */
  readonly model: string;
  readonly place: Origin;
}

/**
 * True if a deployment is asked: `open` while it has not proved different, `out` since it has, `trusted` where an
 * operator wants it to be asked whatever it proves.
 */
export type Standing = "open" | "out" | "trusted";

/** Something that happened to a deployment, for people. */
interface AuditEvent {
  /** ISO 8601. */
  readonly at: string;
  /** `compared-anew`: base is another deployment than before. */
  readonly kind: "different" | "taken-out" | "put-back" | "trusted" | "compared-anew";
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** The audit state of a deployment, which all processes share. */
export interface AuditState {
  readonly key: AuditKey;
  /** The deployment that it was compared with. */
  readonly plainPlace: Origin;
  readonly standing: Standing;
  readonly evidence: Evidence;
  /** By what it has proved different. */
  readonly difference: Difference | undefined;
  /** The latest events, oldest first. */
  readonly history: readonly AuditEvent[];
}

/** Events that are kept. */
const KEPT = 50;

/** One sample of a deployment. */
export interface Sample {
  readonly key: AuditKey;
  readonly plainPlace: Origin;
  readonly comparison: Comparison;
}

/**
 * Adds a sample. A deployment that proves different is taken out, unless it is the one that others are compared with:
 * what is done to its requests is different then. Of one that is out, nothing more is counted.
 */
export function addSample(known: AuditState | undefined, sample: Sample, at: Date): AuditState {
  const state = comparedWith(known, sample, at);
  if (state.standing === "out") return state;
  const evidence = addComparison(state.evidence, sample.comparison);
  if (state.difference !== undefined) return { ...state, evidence };
  const difference = findDifference(evidence);
  if (difference === undefined) return { ...state, evidence };
  const noted = addEvent({ ...state, evidence, difference }, { at, kind: "different", detail: { ...difference } });
  if (state.standing === "trusted" || isSame(sample.key.place, sample.plainPlace)) return noted;
  return addEvent({ ...noted, standing: "out" }, { at, kind: "taken-out" });
}

/** Has a deployment asked again; it is compared anew. A trusted one stays, whatever it proves. */
export function putBack(state: AuditState, isTrusted: boolean, at: Date): AuditState {
  const standing = isTrusted ? "trusted" : "open";
  const renewed: AuditState = { ...state, standing, evidence: NO_EVIDENCE, difference: undefined };
  return addEvent(renewed, { at, kind: isTrusted ? "trusted" : "put-back" });
}

function comparedWith(known: AuditState | undefined, { key, plainPlace }: Sample, at: Date): AuditState {
  const fresh = { key, plainPlace, evidence: NO_EVIDENCE, difference: undefined };
  if (known === undefined) return { ...fresh, standing: "open", history: [] };
  if (isSame(known.plainPlace, plainPlace)) return known;
  const { standing, history } = known;
  // One that is out stays so until an operator says otherwise.
  if (standing === "out") return known;
  return addEvent({ ...fresh, standing, history }, { at, kind: "compared-anew" });
}

function addEvent(state: AuditState, { at, ...event }: Omit<AuditEvent, "at"> & { readonly at: Date }): AuditState {
  return { ...state, history: [...state.history, { at: at.toISOString(), ...event }].slice(-KEPT) };
}

function isSame(one: Origin, other: Origin): boolean {
  return one.upstream === other.upstream && one.model === other.model;
}
