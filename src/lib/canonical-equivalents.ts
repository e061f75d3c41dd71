/** The blocks of characters that are the same as another one, such as the sign of Kelvin, which is a K. */
const BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x0300, 0x03ff],
  [0x1f00, 0x23ff],
  [0xf900, 0xfaff],
  [0x2f800, 0x2faff],
];

let doubles: ReadonlySet<string> | undefined;

/** Tells whether a character may be spelled in other ways that are canonically equivalent (UAX 15), in any case. */
export function hasEquivalents(character: string): boolean {
  if (character.normalize("NFD") !== character) return true;
  doubles ??= findDoubles();
  return doubles.has(character);
}

/** Returns the characters that others are the same as, in both cases. */
function findDoubles(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [first, last] of BLOCKS) {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      const same = character.normalize("NFC");
      if (same !== character) for (const each of [same, same.toLowerCase(), same.toUpperCase()]) found.add(each);
    }
  }
  return found;
}
