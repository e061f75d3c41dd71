import { isObject } from "./is-object.ts";

/**
 * Adds members that come in pieces to those of an object, which is changed: lists of one name are joined (citations,
 * logprobs and annotations come one by one), objects grow in the same way, and other members replace earlier ones.
 */
export function growMembers(object: object, members: object): void {
  for (const [name, value] of Object.entries(members) as [string, unknown][]) {
    const known: unknown = Object.getOwnPropertyDescriptor(object, name)?.value;
    if (Array.isArray(known) && Array.isArray(value)) for (const item of value) known.push(item);
    else if (isObject(known) && isObject(value)) growMembers(known, value);
    // An assignment to __proto__ would change the object's prototype.
    else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  }
}
