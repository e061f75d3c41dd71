/** Returns a member of a value that is not checked yet. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Returns the items of a value that should be a list. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
