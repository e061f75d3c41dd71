import { createHash } from "node:crypto";
import type { Origin } from "./ports.ts";

/** Begins every sealed blob; providers' own blobs are base64 and hold no dot. */
const MARK = "att1.";

/** Most characters of a label: names of upstreams and models are far shorter, and what is longer need not be parsed. */
const MAX_LABEL_LENGTH = 16_384;

/**
 * What a blob is to its maker: thinking, of which a Responses caller has one form for both kinds, so that the seal has to tell; the
 * compaction of an upstream; or a model's summary, in base64, which every upstream can read.
 */
export type StateKind = "thinking" | (typeof OTHER_STATES)[number];

/** Kinds of state that labels name; the others are thinking. */
const OTHER_STATES = ["redacted", "compaction", "summary"] as const;

/** A blob as a caller sent it back. */
export type Opened =
  /** It was sealed here. */
  | { readonly kind: "sealed"; readonly origin: Origin; readonly state: StateKind; readonly blob: string }
  /** It was not sealed here: a conversation that began elsewhere. */
  | { readonly kind: "foreign"; readonly blob: string }
  /** It was sealed here and has been changed since, or was never sealed here and looks as if it were. */
  | { readonly kind: "garbled" };

/** Seals a signature or an encrypted blob with its origin; `openSeal` gives it back byte for byte. */
export function seal(origin: Origin, blob: string, state: StateKind = "thinking"): string {
  const { upstream, model } = origin;
  const said = state === "thinking" ? [upstream, model] : [upstream, model, state];
  const label = Buffer.from(JSON.stringify(said)).toString("base64url");
  return `${MARK}${label}.${checksum(label, blob)}.${blob}`;
}

/** Opens what `seal` made. */
export function openSeal(text: string): Opened {
  if (!text.startsWith(MARK)) return { kind: "foreign", blob: text };
  const [label = "", sum = ""] = text.slice(MARK.length).split(".", 2);
  const blob = text.slice(MARK.length + label.length + sum.length + 2);
  if (checksum(label, blob) !== sum) return { kind: "garbled" };
  const said = parseLabel(label);
  return said === undefined ? { kind: "garbled" } : { kind: "sealed", ...said, blob };
}

/** Anybody can make a right checksum, so that a label may hold anything: undefined for one that `seal` cannot have made. */
function parseLabel(label: string): { readonly origin: Origin; readonly state: StateKind } | undefined {
  if (label.length > MAX_LABEL_LENGTH) return undefined;
  let said: unknown;
  try {
    said = JSON.parse(Buffer.from(label, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (!Array.isArray(said) || said.length < 2 || said.length > 3) return undefined;
  const [upstream, model, state]: unknown[] = said;
  if (typeof upstream !== "string" || typeof model !== "string") return undefined;
  const kind = OTHER_STATES.find((known) => known === state);
  if (said.length === 3 && kind === undefined) return undefined;
  return { origin: { upstream, model }, state: kind ?? "thinking" };
}

/** Guards against damage on the way, not against forgery: the provider checks its own blob. */
function checksum(label: string, blob: string): string {
  return createHash("sha256").update(`${label}.${blob}`).digest("base64url").slice(0, 11);
}
