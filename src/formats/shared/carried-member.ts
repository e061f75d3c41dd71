import type { JsonObject } from "./json.ts";
import { type Bounds, readBoolean, readNumber, readObject, readString } from "./read.ts";

/** A member that the hub does not model, and that travels on to an upstream of the same format. */
export interface CarriedMember {
  /** Throws WireError for a value that no upstream of the format takes. */
  readonly check?: (value: unknown, path: string) => unknown;
  /** Its schema in the OpenAPI document. */
  readonly schema: JsonObject;
}

/** Members that a format carries, by name. */
export type CarriedMembers = Readonly<Record<string, CarriedMember>>;

const CARRIED = "Carried to an upstream of the same format";

/** Describes a text that is carried. */
export function carriedText(description = CARRIED): CarriedMember {
  return { check: readString, schema: { type: "string", description } };
}

/** Describes a switch that is carried. */
export function carriedFlag(description = CARRIED): CarriedMember {
  return { check: readBoolean, schema: { type: "boolean", description } };
}

/** Describes an object that is carried. */
export function carriedObject(description = CARRIED): CarriedMember {
  return { check: readObject, schema: { type: "object", description, additionalProperties: true } };
}

/** Describes a number that is carried. */
export function carriedNumber(bounds: Required<Bounds>, description = CARRIED): CarriedMember {
  return {
    check: (value, path) => readNumber(value, path, bounds),
    schema: { type: "number", format: "double", description, minimum: bounds.min, maximum: bounds.max },
  };
}

/** Checks the members of a request that travel on; those that are null or absent are not given. Throws WireError. */
export function checkCarried(body: JsonObject, members: CarriedMembers): void {
  for (const [name, { check }] of Object.entries(members)) {
    const value = body[name];
    if (value !== undefined && value !== null) check?.(value, name);
  }
}
