import { ALERT_KIND_NAMES, ALERT_KINDS, type AlertKind } from "./kinds.ts";
import type { DestinationKind } from "./ports.ts";

/** The kinds of rules that projects may have. */
export const PROJECT_KINDS = ALERT_KIND_NAMES.filter((kind) => ALERT_KINDS[kind].isOfProjects);

/** Most minutes of any window. */
export const WEEK_MINUTES = 7 * 24 * 60;

/** Returns why a rule of a kind can have no window of so many minutes; undefined where it can. */
export function windowProblem(kind: AlertKind, windowMinutes: number): string | undefined {
  const { maxWindowMinutes = WEEK_MINUTES } = ALERT_KINDS[kind];
  return windowMinutes <= maxWindowMinutes ? undefined : `must be ${maxWindowMinutes} at most`;
}

/** Returns what is wrong with a threshold; undefined if nothing is. A share above 1 would never be reached. */
export function thresholdProblem(kind: AlertKind, threshold: number): string | undefined {
  if (ALERT_KINDS[kind].unit !== "share" || threshold <= 1) return undefined;
  return `must be a share from 0 to 1 for ${kind}: 0.1 is 10%`;
}

/** Returns why messages of a kind cannot go to a target; undefined where they can. */
export function targetProblem(kind: DestinationKind, target: string): string | undefined {
  if (kind === "email") return /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(target) ? undefined : "must be an address of mail";
  if (!URL.canParse(target)) return "must be an http or https address";
  const { protocol, username, password, hash } = new URL(target);
  const isPlain = username === "" && password === "" && hash === "";
  return isPlain && /^https?:$/.test(protocol) ? undefined : "must be an http or https address without credentials";
}
