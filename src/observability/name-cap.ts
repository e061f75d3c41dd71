/** Stands for every name beyond those that are known. */
const OTHER = "other";

/** Longest name that is told as it is. */
const MAX_LENGTH = 64;

/**
 * Creates a function that returns its name for the first `max` names, and "other" for all that come later or are too
 * long.
 */
export function createNameCap(max: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= max || name.length > MAX_LENGTH) return OTHER;
    known.add(name);
    return name;
  };
}
