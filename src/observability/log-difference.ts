import type { Origin } from "../inference/ports.ts";

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
