import { Members, Raw } from "./hostile.ts";

/** Writes a value as JSON; Raw stands as it is, Members keep their order and repeated names. */
export function toJsonText(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof Members) {
    return `{${value.members.map(([name, member]) => `${JSON.stringify(name)}:${toJsonText(member)}`).join(",")}}`;
  }
  if (Array.isArray(value))
    return `[${value.map((item) => (item === undefined ? "null" : toJsonText(item))).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJsonText(member)}`).join(",")}}`;
  }
  return JSON.stringify(value ?? null);
}
