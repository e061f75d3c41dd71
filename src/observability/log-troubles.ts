import type { Origin } from "../inference/ports.ts";

/** A webhook that does not judge answers as it should. */
interface Trouble {
  readonly host: string;
  readonly result: string;
  readonly status: number | undefined;
  readonly error: unknown;
  readonly failures: number;
}

/**
 * Tells that a webhook fails. The answers that it should have judged are given as they are. Of an error it says no more
 * than what happened: its cause has the addresses that were tried.
 */
export function logWebhook(log: { warn(facts: object, message: string): void }, { error, ...facts }: Trouble): void {
  const problem = error instanceof Error ? { problem: error.message } : {};
  log.warn({ ...facts, ...problem }, "a webhook that checks answers failed");
}

/** A change of one of an upstream's keys. */
type KeyChange =
  | { readonly kind: "refused"; readonly key: string; readonly status: number | undefined; readonly forMs: number }
  | { readonly kind: "taken"; readonly key: string };

/** Logs that an upstream refuses a key, or takes it again; the key is named by its place in the configuration. */
export function logKey(
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void },
  upstream: string,
  { kind, ...facts }: KeyChange,
): void {
  if (kind === "taken") log.info({ upstream, ...facts }, "an upstream takes one of its keys again");
  else log.warn({ upstream, ...facts }, "an upstream refuses one of its keys: calls go by the others; replace it");
}

/** A deployment that was compared with the first one of its model. */
interface Compared {
  readonly key: { readonly model: string; readonly place: Origin };
  readonly plainPlace: Origin;
  readonly standing: string;
  readonly difference: object | undefined;
}

const TAKEN_OUT =
  "a deployment does not answer as the first one of its model does: it is not asked any more ('attune audit " +
  "put-back' has it asked again)";

/** Logs that a deployment has proved different: once, in the process that found it. */
export function logDifference(
  log: { error(facts: object, message: string): void },
  { before, after }: { readonly before: Compared | undefined; readonly after: Compared },
): void {
  const { key, plainPlace, standing, difference } = after;
  if (difference === undefined || before?.difference !== undefined) return;
  const { model, place } = key;
  const facts = { model, upstream: place.upstream, upstreamModel: place.model, plainPlace, ...difference };
  log.error(facts, standing === "out" ? TAKEN_OUT : "answers differ from those of the plain call");
}
