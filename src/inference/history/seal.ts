import { createHash } from "node:crypto";
import type { SignedText, Signer } from "../../lib/signer.ts";
import type { Maker, Origin } from "../ports.ts";

/** Begins every sealed blob; providers' own blobs are base64 and hold no dot. */
const MARK = "att1.";

/** Characters of a checksum, which stands before the signature. */
const CHECKSUM_LENGTH = 11;
/** Bytes of a signature, half of the HMAC: nobody finds one in 2^127 tries, and each try is a request. */
const SIGNATURE_BYTES = 16;

/**
 * The kind of a blob for its maker: thinking, of which a Responses caller has one form for both kinds, so that the seal
 * has to tell; the compaction of an upstream; or a model's summary, in base64, which every upstream can read.
 */
export type StateKind = (typeof STATES)[number];

const STATES = ["thinking", "redacted", "compaction", "summary"] as const;

/** A blob as a caller sent it back. */
type Opened =
  /** It was sealed here, for this project, and is as it was. */
  | { readonly kind: "sealed"; readonly maker: Maker; readonly state: StateKind; readonly blob: string }
  /**
   * It was not sealed here: a conversation that began elsewhere, also at another Attune, or a seal that somebody made
   * up.
   */
  | { readonly kind: "foreign"; readonly blob: string }
  /** It was sealed somewhere, and was damaged since. */
  | { readonly kind: "garbled" };

/** Seals a signature or an encrypted blob with its maker; `openSeal` gives it back byte for byte. */
export function seal(signer: Signer, maker: Maker, blob: string, state: StateKind = "thinking"): string {
  const { upstream, model, insteadOf } = maker;
  const labelParts = [upstream, model, state, ...(insteadOf === undefined ? [] : [insteadOf])];
  const label = Buffer.from(JSON.stringify(labelParts)).toString("base64url");
  const signature = signer.sign(getText(label, blob), SIGNATURE_BYTES).toString("base64url");
  return `${MARK}${label}.${checksum(label, blob)}${signature}.${blob}`;
}

/** Opens what `seal` made with a signer of the same installation and project. */
export function openSeal(signer: Signer, text: string): Opened {
  const foreign = { kind: "foreign", blob: text } as const;
  if (!text.startsWith(MARK)) return foreign;
  const [label = "", proof = ""] = text.slice(MARK.length).split(".", 2);
  const blob = text.slice(MARK.length + label.length + proof.length + 2);
  const sum = proof.slice(0, CHECKSUM_LENGTH);
  if (checksum(label, blob) !== sum) return { kind: "garbled" };
  const signature = Buffer.from(proof.slice(CHECKSUM_LENGTH), "base64url");
  if (!signer.verifies(signature, getText(label, blob), SIGNATURE_BYTES)) return foreign;
  const parsed = parseLabel(label);
  return parsed === undefined ? foreign : { kind: "sealed", ...parsed, blob };
}

/** Tells damage on the way from a seal that is not ours; anybody can make a right one. */
function checksum(label: string, blob: string): string {
  return createHash("sha256").update(`${label}.${blob}`).digest("base64url").slice(0, CHECKSUM_LENGTH);
}

function getText(label: string, payload: string): SignedText {
  return { purpose: "seal", label, payload };
}

/** Reads a label that is signed; undefined for one of another version. */
function parseLabel(label: string): { readonly maker: Maker; readonly state: StateKind } | undefined {
  const [upstream, model, state, insteadOf]: unknown[] = JSON.parse(Buffer.from(label, "base64url").toString("utf8"));
  const kind = STATES.find((known) => known === state);
  if (typeof upstream !== "string" || typeof model !== "string" || kind === undefined) return undefined;
  const origin: Origin = { upstream, model };
  return { maker: typeof insteadOf === "string" ? { ...origin, insteadOf } : origin, state: kind };
}
