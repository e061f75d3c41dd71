import { ErrorReason, InferenceError } from "../inference/error.ts";
import type { JsonObject } from "../wire/json.ts";

/** Most members that are kept until the end of an answer: what they cost there is paid in one piece. */
const MOST_MEMBERS = 5000;

/** Members of an answer that only its format knows, as they come with its events. */
export class KeptMembers {
  /** Has no prototype: __proto__ is a member like any other. */
  readonly all: JsonObject = Object.create(null);
  #count = 0;

  /** Keeps a member, or replaces it. Throws UPSTREAM_ERROR for more members than an answer may have. */
  put(name: string, value: unknown): void {
    if (this.all[name] === undefined) this.#count += 1;
    if (this.#count > MOST_MEMBERS) {
      const message = `the upstream's answer has more than ${MOST_MEMBERS} members of its own`;
      throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message);
    }
    this.all[name] = value;
  }

  /** Keeps members that are not known. They come in pieces: lists grow, of everything else the last counts; null says nothing. */
  collect(members: JsonObject, known: ReadonlySet<string>): void {
    for (const name in members) {
      const value = members[name];
      if (known.has(name) || value === null || value === undefined) continue;
      const before = this.all[name];
      if (Array.isArray(before) && Array.isArray(value)) for (const item of value) before.push(item);
      else this.put(name, value);
    }
  }
}
