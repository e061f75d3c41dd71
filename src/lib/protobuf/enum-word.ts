import type { DescEnum } from "@bufbuild/protobuf";

/**
 * Returns the word of an enum's value by its name in proto: KEY_STATE_ACTIVE is active; null for an unspecified one.
 */
export function enumWord(schema: DescEnum, name: string): string | null {
  const value = schema.values.find((each) => each.name === name);
  return value === undefined || value.number === 0 ? null : value.localName.toLowerCase();
}

/** Returns the words of an enum. */
export function enumWords(schema: DescEnum): readonly string[] {
  return schema.values.filter(({ number }) => number !== 0).map(({ localName }) => localName.toLowerCase());
}

/** Returns the word of an enum's value by its number; null for one that is unspecified or unknown. */
export function wordFromNumber(schema: DescEnum, number: number): string | null {
  return enumWord(schema, schema.value[number]?.name ?? "");
}

/** Returns the number of an enum's value by its word; 0 for a word that it does not have. */
export function numberFromWord(schema: DescEnum, word: string): number {
  return schema.values.find(({ localName }) => localName.toLowerCase() === word)?.number ?? 0;
}
