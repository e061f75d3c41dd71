import { type Mistake, type Path, pathText } from "./mistake.ts";

/** The members that say what kind of section it is, whatever else is in it. */
const KINDS = ["kind", "type"];

/** Finds the mistakes of a configuration. */
type FindMistakes = () => readonly Pick<Mistake, "path">[];

/**
 * Takes the sections out of a configuration whose required members are all in `emptied`, the places of members that
 * may be empty and are. Sections that nothing can do without stay, with their mistakes. Returns the places of those
 * that were taken out.
 */
export function dropEmptySections(value: unknown, emptied: readonly Path[], findMistakes: FindMistakes): Path[] {
  if (emptied.length === 0) return [];
  const places = new Set(emptied.map(pathText));
  const wrong = new Set(findMistakes().map(({ path }) => path));
  const missing = emptied.filter((path) => wrong.has(pathText(path)));
  const sections = new Map(missing.map((path) => [pathText(path.slice(0, -1)), path.slice(0, -1)]));
  return [...sections.values()].filter((section) => drop(value, section, places, findMistakes));
}

function drop(value: unknown, path: Path, emptied: ReadonlySet<string>, findMistakes: FindMistakes): boolean {
  const name = path.at(-1);
  const parent = path.slice(0, -1).reduce(getMember, value);
  const section = getMember(parent, name ?? "");
  if (typeof name !== "string" || !isMap(parent) || !isMap(section)) return false;
  const before = findMistakes().map((mistake) => mistake.path);
  // What the section lacks with its kind alone is required.
  parent[name] = Object.fromEntries(Object.entries(section).filter(([key]) => KINDS.includes(key)));
  const inside = findMistakes().filter((mistake) => mistake.path.startsWith(`${pathText(path)}.`));
  delete parent[name];
  const isEmpty = inside.length > 0 && inside.every((mistake) => emptied.has(mistake.path));
  if (isEmpty && findMistakes().every((mistake) => before.includes(mistake.path))) return true;
  parent[name] = section;
  return false;
}

function getMember(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
