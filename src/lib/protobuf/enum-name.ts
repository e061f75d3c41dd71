import type { DescEnum } from "@bufbuild/protobuf";

/**
 * Returns the name of an enum's value in small letters: rate_limited. A value that this version does not know stays a
 * number.
 */
export function enumName(schema: DescEnum, value: number): string {
  return schema.value[value]?.localName.toLowerCase() ?? String(value);
}
