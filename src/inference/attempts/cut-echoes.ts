import type { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import { inputTexts } from "./input-texts.ts";

/** Length of the shortest part of a message that counts as repeated. */
const SHORTEST = 12;
/** Characters of the request's texts that are looked through. */
const LOOKED_AT = 1_000_000;
const CUT = "[...]";
const BASE = 31;
const FILTER = 2 ** 16;

/** Returns an upstream's failure without what its words repeat of the request's texts. */
export function withoutEchoes(error: InferenceError, input: HubInput): InferenceError {
  return error.isAnswer ? error.rewording((text) => cutEchoes(text, inputTexts(input))) : error;
}

/**
 * Cuts from an upstream's message what it repeats of the request's texts: servers in Python repeat what they refuse,
 * and messages are logged and kept.
 */
export function cutEchoes(message: string, texts: Iterable<string>): string {
  if (message.length < SHORTEST) return message;
  const windows = hashWindows(message);
  const repeated = new Uint8Array(message.length);
  let left = LOOKED_AT;
  for (const text of texts) {
    markRepeated(text.length > left ? text.slice(0, left) : text, { message, windows, repeated });
    left -= text.length;
    if (left <= 0) break;
  }
  return repeated.includes(1) ? withoutMarked(message, repeated) : message;
}

interface Marking {
  readonly message: string;
  /** Places of the message's windows, by their hashes. */
  readonly windows: ReadonlyMap<number, readonly number[]>;
  readonly repeated: Uint8Array;
}

function markRepeated(text: string, { message, windows, repeated }: Marking): void {
  // Nearly all windows are of no hash, and are told apart without a look-up.
  const mayBe = new Uint8Array(FILTER);
  for (const hash of windows.keys()) mayBe[hash & (FILTER - 1)] = 1;
  eachWindow(text, (hash, at) => {
    if (mayBe[hash & (FILTER - 1)] === 0) return;
    for (const place of windows.get(hash) ?? []) {
      if (text.startsWith(message.slice(place, place + SHORTEST), at)) repeated.fill(1, place, place + SHORTEST);
    }
  });
}

function hashWindows(message: string): ReadonlyMap<number, readonly number[]> {
  const windows = new Map<number, number[]>();
  eachWindow(message, (hash, at) => {
    const places = windows.get(hash);
    if (places === undefined) windows.set(hash, [at]);
    else places.push(at);
  });
  return windows;
}

/** Visits each window of a text with its rolling hash (Rabin and Karp). */
function eachWindow(text: string, visit: (hash: number, at: number) => void): void {
  let first = 1;
  for (let power = 1; power < SHORTEST; power += 1) first = Math.imul(first, BASE);
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= SHORTEST) hash = (hash - Math.imul(text.charCodeAt(at - SHORTEST), first)) | 0;
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
    if (at >= SHORTEST - 1) visit(hash, at - SHORTEST + 1);
  }
}

function withoutMarked(message: string, repeated: Uint8Array): string {
  let written = "";
  for (let at = 0; at < message.length; at += 1) {
    if (repeated[at] === 0) written += message[at];
    else if (repeated[at - 1] !== 1) written += CUT;
  }
  return written;
}
