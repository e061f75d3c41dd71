import { randomInt } from "node:crypto";

/**
 * Changes the bytes so that `pattern` is nowhere in them; returns the mask that changes them back, 0 where it was not in them.
 * The mask is drawn, so that nothing can be made up that has the pattern in it in each form.
 */
export function maskAgainst(bytes: Buffer, pattern: Buffer): number {
  let mask = 0;
  while (bytes.includes(pattern)) {
    applyMask(bytes, mask);
    mask = randomInt(1, 2 ** 32);
    applyMask(bytes, mask);
  }
  return mask;
}

/** Turns the bits of the mask, four bytes after four, and returns the bytes. To do so again gives back what was there. */
export function applyMask(bytes: Buffer, mask: number): Buffer {
  for (let at = 0; at < bytes.length; at++) bytes[at] = (bytes[at] ?? 0) ^ (mask >>> (8 * (at % 4)));
  return bytes;
}
