import { crc32 } from "node:zlib";

/** Characters that are looked at in all: enough to tell prompts apart, few enough to cost microseconds. */
const MOST = 8192;

/** Characters up to which a text is read here: to hand over a short one costs more than to read it. */
const SHORT = 32;

const PRIME = 0x01000193;

/**
 * Hashes texts (FNV-1a over the code units of short ones, CRC-32 of longer ones, then mixed) into a whole number of 32
 * bits; not for secrets. Halves of surrogate pairs are all alike in long texts.
 */
export function hashTexts(texts: readonly string[]): number {
  let hash = 0x811c9dc5;
  let left = MOST;
  for (const text of texts) {
    const end = Math.min(text.length, left);
    left -= end;
    if (end > SHORT) hash = crc32(text.slice(0, end), hash >>> 0);
    else for (let at = 0; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
    // The length ends a text, so that "ab", "c" and "a", "bc" differ.
    hash = Math.imul(hash ^ text.length, PRIME);
  }
  return mix(hash);
}

/** Spreads what differs in a few bits over all of them (the end of MurmurHash3). */
export function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Returns a source of numbers from 0 to below 1 that is the same for the same seed, so that what it decides can be
 * repeated.
 */
export function createRandom(seed: string): () => number {
  let draws = 0;
  return () => hashTexts([seed, `${draws++}`]) / 2 ** 32;
}
