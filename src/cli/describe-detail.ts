/** The digits of a number that a reader needs, and never an exponent. */
const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3, useGrouping: false });

/** Describes the evidence of an event for people: "family tag:poem, from a, to b, rewards 240". */
export function describeDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${describeValue(value)}`)
    .join(", ");
}

function describeValue(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : short.format(value);
  if (value === null) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(describeValue).join(" and ");
  if (typeof value === "object") return `(${describeDetail(value as Readonly<Record<string, unknown>>)})`;
  return String(value);
}
