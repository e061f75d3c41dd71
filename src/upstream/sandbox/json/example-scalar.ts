import type { JsonObject } from "../../../wire/json.ts";

/** Texts of the formats that clients check. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-02",
  time: "10:30:00Z",
  "date-time": "2026-01-02T10:30:00Z",
  duration: "PT1H",
  email: "user@example.com",
  "idn-email": "user@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  "uri-reference": "https://example.com/",
  iri: "https://example.com/",
  url: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
  "json-pointer": "/example",
  regex: "^example$",
};

/** What an example is made from. */
export interface ScalarHints {
  /** Name of the property, or of the schema. */
  readonly name: string;
  /** Counts up among the items of one array, so that they differ. */
  readonly salt: number;
  /** Makes a text that matches a pattern. */
  readonly matching: (pattern: string, salt: number) => string;
}

/** Makes a text for a schema. */
export function exampleString(schema: JsonObject, { name, salt, matching }: ScalarHints): string {
  const { pattern, format, minLength, maxLength } = schema;
  let text = `example ${name}`;
  if (typeof pattern === "string") text = matching(pattern, salt);
  else if (typeof format === "string" && Object.hasOwn(FORMATS, format)) text = FORMATS[format] ?? text;
  else if (salt > 0) text = `${salt + 1} ${text}`;
  const characters = [...text];
  // Repeating keeps to most patterns of one class of characters.
  const filler = characters.length > 0 ? [...characters] : ["x"];
  while (characters.length < Number(minLength ?? 0)) characters.push(...filler);
  const wanted = Math.max(Number(minLength ?? 0), [...text].length);
  return characters.slice(0, Math.min(wanted, Number(maxLength ?? wanted))).join("");
}

/** Makes a number for a schema: a small one within the bounds. */
export function exampleNumber(schema: JsonObject, salt: number, whole: boolean): number {
  const step = Number(schema["multipleOf"] ?? (whole ? 1 : 0));
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const low = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity));
  const high = Math.min(Number(maximum ?? Infinity), Number(exclusiveMaximum ?? Infinity));
  if (step > 0) return exampleMultiple({ low, high, step, excluded: [exclusiveMinimum, exclusiveMaximum] }, salt);
  const inside = (value: number): boolean =>
    value >= low && value <= high && value !== exclusiveMinimum && value !== exclusiveMaximum;
  if (inside(1 + salt)) return 1 + salt;
  if (Number.isFinite(low) && Number.isFinite(high)) return low + (high - low) / (2 + salt);
  return Number.isFinite(low) ? low + 1 + salt : high - 1 - salt;
}

interface Multiples {
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly excluded: readonly unknown[];
}

function exampleMultiple({ low, high, step, excluded }: Multiples, salt: number): number {
  let factor = Math.max(1, Math.ceil(low / step));
  if (factor * step > high) factor = Number.isFinite(low) ? Math.ceil(low / step) : Math.floor(high / step) - salt;
  factor += factor * step <= high && (factor + salt) * step <= high ? salt : 0;
  const value = cleanProduct(factor, step);
  return excluded.includes(value) ? cleanProduct(factor + (value === high ? -1 : 1), step) : value;
}

/** 3 * 0.1 is 0.3, not 0.30000000000000004. */
function cleanProduct(factor: number, step: number): number {
  return Number((factor * step).toPrecision(15));
}
