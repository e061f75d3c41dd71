import { createHash } from "node:crypto";

/** Begins every sealed blob; providers' own blobs are base64 and hold no dot. */
const MARK = "att1.";

/** Where opaque state comes from; nobody else can read it. */
export interface Origin {
  /** Name of the upstream in the configuration: it stands for the account as well. */
  readonly upstream: string;
  /** Model as the upstream calls it. */
  readonly model: string;
}

/** What a blob is to its maker. A Responses caller has one form for both, so that the seal has to tell. */
export type StateKind = "thinking" | "redacted";

/** A blob as a caller sent it back. */
export type Opened =
  /** It was sealed here. */
  | { readonly kind: "sealed"; readonly origin: Origin; readonly state: StateKind; readonly blob: string }
  /** It was not sealed here: a conversation that began elsewhere. */
  | { readonly kind: "foreign"; readonly blob: string }
  /** It was sealed here and has been changed since. */
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
  const said = JSON.parse(Buffer.from(label, "base64url").toString("utf8")) as [string, string, "redacted"?];
  const [upstream, model, state = "thinking"] = said;
  return { kind: "sealed", origin: { upstream, model }, state, blob };
}

/** Guards against damage on the way, not against forgery: the provider checks its own blob. */
function checksum(label: string, blob: string): string {
  return createHash("sha256").update(`${label}.${blob}`).digest("base64url").slice(0, 11);
}
