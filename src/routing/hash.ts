/** Characters that are looked at in all: enough to tell prompts apart, few enough to cost microseconds. */
const MOST = 8192;

/** Hashes texts (FNV-1a over their code units, then mixed) into a whole number of 32 bits; not for secrets. */
export function hashTexts(...texts: readonly string[]): number {
  let hash = 0x811c9dc5;
  let left = MOST;
  for (const text of texts) {
    const end = Math.min(text.length, left);
    left -= end;
    for (let at = 0; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    // The length ends a text, so that "ab", "c" and "a", "bc" differ.
    hash = Math.imul(hash ^ text.length, 0x01000193);
  }
  return mix(hash);
}

/** Spreads what differs in a few bits over all of them (the end of MurmurHash3). */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Returns a source of numbers from 0 to below 1 that is the same for the same seed, so that what it decides can be repeated. */
export function randomOf(seed: string): () => number {
  let draws = 0;
  return () => hashTexts(seed, `${draws++}`) / 2 ** 32;
}
