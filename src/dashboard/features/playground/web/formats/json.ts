/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns what stands at a path of JSON; undefined where it leads nowhere. */
export function at(json: unknown, ...path: readonly (string | number)[]): unknown {
  let value = json;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}

/** Returns the text at a path; empty where there is none. */
export function textAt(json: unknown, ...path: readonly (string | number)[]): string {
  const value = at(json, ...path);
  return typeof value === "string" ? value : "";
}

/** Returns the number at a path. */
export function numberAt(json: unknown, ...path: readonly (string | number)[]): number | undefined {
  const value = at(json, ...path);
  return typeof value === "number" ? value : undefined;
}

/** Returns the array at a path; empty where there is none. */
export function arrayAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = at(json, ...path);
  return Array.isArray(value) ? value : [];
}

/** Returns an object without the members that are undefined. */
export function compact(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
