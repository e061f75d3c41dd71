/**
 * Makes a process repeat itself, by `node --import` of this file: the clock stands still, and what is random is the
 * same each time.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { Random } from "../../../scripts/seed/random.ts";

const NOW_MS = Date.UTC(2026, 10, 28);
const SystemDate = Date;
const random = new Random(1);

globalThis.Date = new Proxy(SystemDate, {
  apply: () => new SystemDate(NOW_MS).toString(),
  construct: (target, values, of) => Reflect.construct(target, values.length === 0 ? [NOW_MS] : values, of),
  get: (target, name, receiver) => (name === "now" ? () => NOW_MS : Reflect.get(target, name, receiver)),
});
SystemDate.prototype.constructor = globalThis.Date;
Math.random = () => random.next();

function fill<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  for (let at = 0; at < bytes.length; at++) bytes[at] = random.below(256);
  return bytes;
}

Object.assign(crypto, {
  randomBytes: (size: number) => fill(Buffer.alloc(size)),
  randomFillSync: fill,
  randomInt: (min: number, max: number) => min + random.below(max - min),
});
syncBuiltinESMExports();
