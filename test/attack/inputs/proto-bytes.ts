import type { Random } from "../random.ts";
import { hostileText } from "./hostile.ts";
import { damage } from "./mutate.ts";

const VARINT = 0;
const BYTES = 2;
const GROUP = 3;

/** Writes a number as protobuf does. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

const tag = (field: number, wireType: number): Buffer => varint(field * 8 + wireType);

/** Writes a field that has bytes. */
export function field(number: number, bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes);
  return Buffer.concat([tag(number, BYTES), varint(content.length), content]);
}

/** Changes the bytes of a message in a way that only a sender with intent would. */
export function mutateProto(random: Random, bytes: Buffer): Buffer {
  if (random.oneIn(4)) return damage(random, bytes);
  const extra = random.oneIn(3) ? hostileField(random) : Buffer.concat([hostileField(random), hostileField(random)]);
  return random.oneIn(2) ? Buffer.concat([bytes, extra]) : Buffer.concat([extra, bytes]);
}

function hostileField(random: Random): Buffer {
  const number = random.pick([0, 1, 2, 4, 5, 8, 9, 17, 20, 23, 25, 100, 18_999, 19_000, 536_870_911, 536_870_912]);
  switch (random.integer(0, 9)) {
    case 0:
      return Buffer.concat([tag(number, VARINT), Buffer.alloc(random.integer(9, 12), 0xff), Buffer.from([1])]);
    case 1:
      return Buffer.concat([
        tag(number, BYTES),
        varint(random.pick([5, 1000, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 52])),
      ]);
    case 2:
      return Buffer.concat(
        Array.from({ length: random.pick([1, 50, 99, 100, 101, 1000, 5000]) }, () => tag(number, GROUP)),
      );
    case 3:
      return Buffer.concat([tag(number, random.integer(4, 7)), random.bytes(3)]);
    case 4:
      return field(number, random.bytes(random.integer(0, 40)));
    case 5:
      return field(1, field(number, hostileText(random)));
    case 6:
      return Buffer.concat(Array.from({ length: random.integer(10, 1000) }, () => field(number, "")));
    case 7:
      return nestedInput(random.pick([5, 50, 99, 100, 101, 200, 1000]));
    case 8:
      return field(
        1,
        Buffer.concat([
          field(1, "attune/sand"),
          ...Array.from({ length: random.integer(1, 2000) }, () => field(4, "")),
        ]),
      );
    default:
      return Buffer.concat([tag(number, VARINT), varint(random.pick([0, 1, 127, 2 ** 31, 2 ** 40]))]);
  }
}

/** A prompt whose block holds results in results, `levels` deep. */
export function nestedInput(levels: number): Buffer {
  let block: Buffer = field(1, field(1, "x"));
  for (let level = 0; level < levels; level++) block = field(6, field(2, block));
  return field(
    1,
    Buffer.concat([field(1, "attune/sand"), field(4, Buffer.concat([tag(1, VARINT), varint(3), field(2, block)]))]),
  );
}

/** A request with `count` of one tiny thing. */
export function manyOfOne(random: Random, count: number): Buffer {
  const one = random.pick([
    field(4, ""),
    field(5, ""),
    field(12, ""),
    field(23, ""),
    field(17, field(1, "")),
    field(99, ""),
    field(3, ""),
  ]);
  const many = Buffer.alloc(one.length * count, one);
  return random.oneIn(3) ? many : field(1, Buffer.concat([field(1, "attune/sand"), many]));
}
