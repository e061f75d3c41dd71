import { randomInt } from "node:crypto";

/** A payload in a form that a pattern is not in. */
export interface Masked {
  /** What maskWith() brings the payload back with; 0 if it is as it was. */
  readonly mask: number;
  readonly parts: readonly Uint8Array[];
}

/** Masks a payload if `pattern` is somewhere in it. The mask is drawn, so that no payload can be made that has it in each form. */
export function maskAgainst(parts: readonly Uint8Array[], pattern: Buffer): Masked {
  if (!holds(parts, pattern)) return { mask: 0, parts };
  const whole = Buffer.concat(parts);
  for (;;) {
    const mask = randomInt(1, 2 ** 32);
    const masked = maskWith(whole, mask);
    if (!masked.includes(pattern)) return { mask, parts: [masked] };
  }
}

/** Returns the bytes with the bits of the mask turned, four bytes after four. Masking again gives back what was there. */
export function maskWith(bytes: Buffer, mask: number): Buffer {
  const turned = Buffer.allocUnsafe(bytes.length);
  for (let at = 0; at < bytes.length; at++) turned[at] = (bytes[at] ?? 0) ^ (mask >>> (8 * (at % 4)));
  return turned;
}

function holds(parts: readonly Uint8Array[], pattern: Buffer): boolean {
  return parts.some((part) => viewOf(part).includes(pattern)) || seams(parts, pattern.length - 1).includes(pattern);
}

/** The ends of the parts, so that a pattern over several parts is in it. Small parts are in it whole. */
function seams(parts: readonly Uint8Array[], reach: number): Buffer {
  const ends = parts.flatMap((part) =>
    part.length <= 2 * reach ? [part] : [part.subarray(0, reach), part.subarray(part.length - reach)],
  );
  return Buffer.concat(ends);
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
