/**
 * Merges JSON objects given as text, in order: arrays of the same name are joined (citations, logprobs, annotations
 * come piece by piece), other members replace earlier ones.
 */
export function mergeExtensions(pieces: readonly string[]): string {
  const [only, ...others] = pieces;
  if (only !== undefined && others.length === 0) return only;
  const merged: Record<string, unknown> = Object.create(null);
  for (const piece of pieces) {
    for (const [name, value] of Object.entries(toObject(piece))) {
      const before = merged[name];
      if (Array.isArray(before) && Array.isArray(value)) for (const item of value) before.push(item);
      else merged[name] = value;
    }
  }
  return JSON.stringify(merged);
}

function toObject(json: string): object {
  const value: unknown = JSON.parse(json);
  return typeof value === "object" && value !== null ? value : {};
}
