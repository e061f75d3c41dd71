import { mix } from "../../lib/hash.ts";

/** Bits of a hash. */
const BITS = 64;

/** A feature of a text, and how much it counts. */
export interface Feature {
  readonly text: string;
  readonly weight: number;
}

/** 64 bits, as two numbers of 32: texts that have most features in common differ in few of them. */
export interface SimilarityHash {
  readonly high: number;
  readonly low: number;
}

/** Hashes features into 64 bits of which those are set that more of the weight has set (Charikar's similarity hash). */
export function hashFeatures(features: Iterable<Feature>): SimilarityHash {
  const tally = new Float64Array(BITS);
  for (const { text, weight } of features) {
    const [high, low] = hashText(text);
    for (let bit = 0; bit < 32; bit++) {
      tally[bit] = (tally[bit] ?? 0) + ((low >>> bit) & 1 ? weight : -weight);
      tally[bit + 32] = (tally[bit + 32] ?? 0) + ((high >>> bit) & 1 ? weight : -weight);
    }
  }
  return { high: setBits(tally, 32), low: setBits(tally, 0) };
}

/** Returns in how many bits two hashes differ: unrelated texts in about 32. */
export function distance(one: SimilarityHash, other: SimilarityHash): number {
  return countBits(one.high ^ other.high) + countBits(one.low ^ other.low);
}

/** Writes a hash as 16 hexadecimal digits. */
export function writeHash({ high, low }: SimilarityHash): string {
  return `${high.toString(16).padStart(8, "0")}${low.toString(16).padStart(8, "0")}`;
}

/** Reads what `writeHash` wrote; undefined for anything else. */
export function readHash(text: string): SimilarityHash | undefined {
  if (!/^[0-9a-f]{16}$/.test(text)) return undefined;
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}

function setBits(tally: Float64Array, from: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) if ((tally[from + bit] ?? 0) > 0) bits |= 1 << bit;
  return bits >>> 0;
}

function countBits(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Two hashes of 32 bits (FNV-1a from two bases, each mixed as MurmurHash3 ends). */
function hashText(text: string): readonly [high: number, low: number] {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return [mix(high), mix(low)];
}
