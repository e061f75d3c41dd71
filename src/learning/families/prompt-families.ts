import { LRUCache } from "lru-cache";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { AUTO, wholeFamily } from "../bandit/cluster-id.ts";
import type { Families } from "../bandit/families.ts";
import { createFingerprint, type Template, templateId, toTemplate } from "./fingerprint.ts";
import { distance, readHash, type SimilarityHash } from "./similarity-hash.ts";

/** Begins a family that its caller names. */
const TAG = "tag:";
/** The family of requests that bring no instructions, no tools and no schema. */
const PLAIN = `${AUTO}plain`;

/**
 * Bits that templates may differ in and be of one family: some changed words in a hundred, or one tool more or less.
 * Strangers differ in 32.
 */
const NEAR = 10;

/** Label by which callers without a header name their workload. */
const LABEL = "attune_workload";

/** Templates that are remembered with their fingerprints. */
const REMEMBERED = 1000;

/** Tells prompt families by the caller's own name for them, or by what their requests have in common. */
export class PromptFamilies {
  /** Templates as they were sent, for nearly all come again as they were: their fingerprints, and their ids. */
  readonly #known = new LRUCache<string, string>({ max: REMEMBERED });
  readonly #ids = new LRUCache<string, string>({ max: REMEMBERED });

  /** Returns the family of a request, among those that are known, or a new one. */
  of(input: InferenceInput, known: Families): string {
    const tag = input.workload || input.metadata[LABEL] || "";
    if (tag !== "") return `${TAG}${tag}`;
    const template = toTemplate(input);
    if (isEmpty(template)) return PLAIN;
    return knownFamily(`${AUTO}${this.#fingerprint(template)}`, known);
  }

  /** Returns the id of a request's template. */
  templateOf(input: InferenceInput): string {
    return once(this.#ids, toTemplate(input), templateId);
  }

  #fingerprint(template: Template): string {
    return once(this.#known, template, createFingerprint);
  }
}

function once(known: LRUCache<string, string>, template: Template, make: (template: Template) => string): string {
  const text = JSON.stringify(template);
  const found = known.get(text);
  if (found !== undefined) return found;
  const made = make(template);
  known.set(text, made);
  return made;
}

function isEmpty({ instructions, tools, members }: Template): boolean {
  return instructions.trim() === "" && tools.length === 0 && members.length === 0;
}

/** Returns the name of a family that is known, or of the known one whose templates are nearly its own. */
export function knownFamily(name: string, known: Families): string {
  if (!name.startsWith(AUTO) || known.find(name) !== undefined) return name;
  return nearest(name.slice(AUTO.length), known) ?? name;
}

/** The hashes of families by their names, read once; false for a family that was named by its caller. */
const hashes = new LRUCache<string, SimilarityHash | false>({ max: 10_000 });

/** Returns the known family that is nearest to a fingerprint, and near enough. */
function nearest(fingerprint: string, known: Families): string | undefined {
  const own = readHash(fingerprint);
  if (own === undefined) return undefined;
  let best: string | undefined;
  let least = NEAR + 1;
  for (const [name] of known.entries()) {
    const hash = getHash(name);
    if (hash === false) continue;
    const bits = distance(own, hash);
    if (bits >= least) continue;
    least = bits;
    best = wholeFamily(name);
  }
  return best;
}

function getHash(name: string): SimilarityHash | false {
  const found = hashes.get(name);
  if (found !== undefined) return found;
  const made = name.startsWith(AUTO) ? (readHash(wholeFamily(name).slice(AUTO.length)) ?? false) : false;
  hashes.set(name, made);
  return made;
}
