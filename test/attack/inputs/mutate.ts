import type { Random } from "../random.ts";
import { hostileName, hostileText, hostileValue, Members, Raw } from "./hostile.ts";
import { toJsonText } from "./json-text.ts";

/** Changes one to four places of a value, anywhere in it. The value itself stays as it is. */
export function mutate(random: Random, value: unknown): unknown {
  let changed = value;
  for (let count = random.pick([1, 1, 1, 2, 2, 3, 4]); count > 0; count--) changed = mutateSomewhere(random, changed);
  return changed;
}

/** Goes down to some place; those near the root are changed as often as those in the depth. */
function mutateSomewhere(random: Random, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && !random.oneIn(5)) {
    const index = random.integer(0, value.length - 1);
    return value.map((item, at) => (at === index ? mutateSomewhere(random, item) : item));
  }
  const members = membersOf(value);
  if (members !== undefined && members.length > 0 && !random.oneIn(5)) {
    const index = random.integer(0, members.length - 1);
    return new Members(
      members.map(([name, member], at) => [name, at === index ? mutateSomewhere(random, member) : member]),
    );
  }
  return mutateHere(random, value);
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (value instanceof Members) return value.members;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Raw);
  return isObject ? Object.entries(value) : undefined;
}

function mutateHere(random: Random, value: unknown): unknown {
  if (Array.isArray(value)) return mutateArray(random, value);
  const members = membersOf(value);
  if (members !== undefined) return mutateObject(random, members);
  if (typeof value === "string" && random.oneIn(3)) return mutateText(random, value);
  if (random.oneIn(8)) return random.oneIn(2) ? [value] : new Members([[hostileName(random), value]]);
  return hostileValue(random);
}

function mutateArray(random: Random, items: readonly unknown[]): unknown {
  switch (random.integer(0, 6)) {
    case 0:
      return [];
    case 1:
      return [...items, hostileValue(random)];
    case 2:
      return [...items].reverse();
    case 3:
      return items.flatMap((item) => [item, item]);
    case 4:
      return Array.from({ length: random.integer(3, 40) }, () => items)
        .flat()
        .slice(0, 2000);
    case 5:
      return items.slice(random.integer(0, items.length));
    default:
      return hostileValue(random);
  }
}

function mutateObject(random: Random, members: readonly (readonly [string, unknown])[]): unknown {
  const some = members.length === 0 ? -1 : random.integer(0, members.length - 1);
  switch (random.integer(0, 7)) {
    case 0:
    case 1:
      return new Members(members.filter((_, at) => at !== some));
    case 2:
      return new Members([...members, [hostileName(random), hostileValue(random)]]);
    case 3:
      return new Members([[hostileName(random), hostileValue(random)], ...members]);
    case 4:
      // The same name twice, with another value.
      return new Members([
        ...members,
        ...members.filter((_, at) => at === some).map(([name]) => [name, hostileValue(random)] as const),
      ]);
    case 5:
      return new Members(members.map(([name, member], at) => [at === some ? hostileName(random) : name, member]));
    case 6:
      return new Members(members.map(([name, member], at) => [name, at === some ? null : member]));
    default:
      return hostileValue(random);
  }
}

function mutateText(random: Random, text: string): string {
  const at = random.integer(0, text.length);
  switch (random.integer(0, 3)) {
    case 0:
      return text.slice(0, at) + hostileText(random) + text.slice(at);
    case 1:
      return text.slice(0, at);
    case 2:
      return text.repeat(random.integer(2, 30)).slice(0, 4000);
    default:
      return text.toUpperCase();
  }
}

/** Writes a value as a body; one time in six, its bytes are damaged or in an encoding that JSON does not have. */
export function toBody(random: Random, value: unknown): Buffer {
  const body = Buffer.from(toJsonText(value), "utf8");
  return random.oneIn(6) ? damage(random, body) : body;
}

/** Damages bytes. */
export function damage(random: Random, body: Buffer): Buffer {
  const at = random.integer(0, body.length);
  switch (random.integer(0, 10)) {
    case 0:
      return body.subarray(0, at);
    case 1:
      return Buffer.concat([body.subarray(0, at), random.bytes(random.integer(1, 8)), body.subarray(at)]);
    case 2:
      return Buffer.concat([body.subarray(0, at), Buffer.from([random.integer(0, 255)]), body.subarray(at + 1)]);
    case 3:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
    case 4:
      return Buffer.from(body.toString("utf8"), "utf16le");
    case 5:
      return Buffer.concat([Buffer.from([0x1f, 0x8b, 0x08, 0x00]), body]);
    case 6:
      return Buffer.from(body.toString("utf8"), "latin1");
    case 7:
      return Buffer.concat([body, body]);
    case 8:
      return random.bytes(random.integer(0, 300));
    case 9:
      return Buffer.concat([
        body.subarray(0, at),
        Buffer.from(random.pick([[0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8], [0xff, 0xfe], [0]])),
        body.subarray(at),
      ]);
    default:
      return Buffer.concat([
        Buffer.from(random.pick([" ", "\n", "\u00a0", "//\n", ")]}',\n"])),
        body,
        Buffer.from(random.pick([",", "}", "]", "\0", " "])),
      ]);
  }
}
