/**
 * Merges two JSON objects given as text: arrays of the second are appended to arrays of the first (citations, logprobs,
 * annotations come piece by piece), other members replace.
 */
export function mergeExtension(first: string | undefined, second: string): string {
  if (first === undefined || first === "") return second;
  const merged = toObject(first);
  for (const [name, value] of Object.entries(toObject(second))) {
    const before = merged[name];
    merged[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return JSON.stringify(merged);
}

function toObject(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return typeof value === "object" && value !== null ? { ...value } : {};
}
