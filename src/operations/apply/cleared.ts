import { InferenceError } from "../../hub/error.ts";

/** The places of a document whose members are to be taken away. */
export class ClearedPlaces {
  readonly #places: readonly string[];
  /** Places by those that they may be members of: `shadow.share` is a member of `learning`, and so is `mode`. */
  readonly #byOwner = new Map<string, string[]>();
  readonly #read = new Set<string>();

  constructor(places: readonly string[]) {
    this.#places = places;
    for (const place of places) {
      const last = place.lastIndexOf(".");
      for (const at of [last, place.lastIndexOf(".", last - 1)]) {
        if (at > 0) this.#add(place.slice(0, at), place);
      }
    }
  }

  #add(owner: string, place: string): void {
    const known = this.#byOwner.get(owner);
    if (known === undefined) this.#byOwner.set(owner, [place]);
    else known.push(place);
  }

  /** Returns the members of `place` that are to be taken away, by their names in protos. */
  membersOf(place: string): readonly string[] {
    const found = this.#byOwner.get(place) ?? [];
    for (const each of found) this.#read.add(each);
    return found.map((each) => each.slice(place.length + 1));
  }

  /** Throws INVALID_REQUEST where a place is none that a document can clear, or is not there. */
  check(): void {
    const stranger = this.#places.findIndex((place) => !this.#read.has(place));
    if (stranger < 0) return;
    const problem = "isn't a limit or a learning setting in the document";
    throw InferenceError.invalid(`cleared[${stranger}]`, problem);
  }
}

/**
 * Returns the paths that a part of a document mentions: those that are set, and those that are to be taken away. Throws
 * INVALID_REQUEST for a name that is none of them, and for one that is both.
 */
export function mentionedPaths<Path extends string>(
  paths: readonly Path[],
  isSet: (path: Path) => boolean,
  { names, place }: { readonly names: readonly string[]; readonly place: string },
): readonly Path[] {
  for (const name of names) {
    const covered = paths.filter((path) => path === name || path.startsWith(`${name}.`));
    if (covered.length === 0) throw InferenceError.invalid(`${place}.${name}`, `is none of ${paths.join(", ")}`);
    if (covered.some(isSet)) throw InferenceError.invalid(`${place}.${name}`, "is both set and removed");
  }
  return paths.filter((path) => isSet(path) || names.some((name) => path === name || path.startsWith(`${name}.`)));
}
