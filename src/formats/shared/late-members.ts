import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { defineMember, type JsonObject } from "./json.ts";

/** Most members that are kept until the end of an answer: what they cost there is paid in one piece. */
const MOST_MEMBERS = 5000;

/** Members of an answer that only its format knows, as they come with its events. */
export class LateMembers {
  /** Most answers have none; an object with any names as its keys takes several times as long to read as a map. */
  #members: Map<string, unknown> | undefined;

  readonly #mayRepeat: boolean;

  /** `mayRepeat`: a list that begins with all that came before takes its place. */
  constructor({ mayRepeat = false }: { readonly mayRepeat?: boolean } = {}) {
    this.#mayRepeat = mayRepeat;
  }

  /** Keeps a member, or replaces it. Throws UPSTREAM_ERROR for more members than an answer may have. */
  put(name: string, value: unknown): void {
    this.#members ??= new Map();
    this.#members.set(name, value);
    if (this.#members.size > MOST_MEMBERS) {
      const message = `the upstream's answer has more than ${MOST_MEMBERS} members of its own`;
      throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message);
    }
  }

  get(name: string): unknown {
    return this.#members?.get(name);
  }

  get isEmpty(): boolean {
    return this.#members === undefined;
  }

  /** The members that were kept, as they are now. */
  get all(): JsonObject {
    const all: JsonObject = {};
    if (this.#members !== undefined) for (const [name, value] of this.#members) defineMember(all, name, value);
    return all;
  }

  /**
   * Keeps members that are not known. They come in pieces: lists grow, of everything else the last counts; null says
   * nothing.
   */
  collect(members: JsonObject, known: ReadonlySet<string>): void {
    for (const name in members) {
      const value = members[name];
      if (known.has(name) || value === null || value === undefined) continue;
      const before = this.#members?.get(name);
      // Most are told in each event anew.
      if (value === before) continue;
      const isPiece = Array.isArray(before) && Array.isArray(value) && !(this.#mayRepeat && beginsWith(value, before));
      if (isPiece) for (const item of value) before.push(item);
      else this.put(name, value);
    }
  }
}

function beginsWith(list: readonly unknown[], before: readonly unknown[]): boolean {
  if (before.length === 0 || list.length < before.length) return false;
  return before.every((item, index) => JSON.stringify(item) === JSON.stringify(list[index]));
}
