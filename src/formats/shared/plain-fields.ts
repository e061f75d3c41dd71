import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { type PlainField, plainFields } from "../../hub/field-names.ts";
import type { Format } from "../../hub/field-row.ts";
import { FIELDS } from "../../hub/fields.ts";
import type { JsonObject } from "./json.ts";
import { flagMember, integerMember, type Member, numberMember, textMember } from "./member.ts";
import type { Bounds } from "./read.ts";

const PLAIN = { chat: plainFields("chat"), responses: plainFields("responses"), messages: plainFields("messages") };

const MEMBERS: Readonly<Record<PlainField["type"], (description: string, bounds: Bounds) => Member>> = {
  boolean: flagMember,
  integer: integerMember,
  number: numberMember,
  string: (description) => textMember(description),
};

/** Returns the members that a format has as the hub has them, by the table of fields. Their values have no types. */
export function plainFieldMembers(format: Format): Readonly<Record<never, Member>> {
  const members = PLAIN[format].map(({ localName, member, type, bounds }): [string, Member] => {
    const description = FIELDS["InferenceInput"]?.[localName]?.description;
    if (description === undefined)
      throw new Error(`${localName} goes as it is: its row in src/hub/fields.ts needs a description`);
    return [member, MEMBERS[type](description, bounds)];
  });
  return Object.fromEntries(members);
}

/** The values of fields that are one number, text or switch. */
type PlainInit = {
  [Name in keyof InferenceInput as NonNullable<InferenceInput[Name]> extends string | number | boolean
    ? Exclude<Name, `$${string}`>
    : never]?: InferenceInput[Name];
};

/** Returns the fields of the hub that stand among the values of a request's members. */
export function plainInit(format: Format, values: object): PlainInit {
  const init: Record<string, unknown> = {};
  for (const { localName, member } of PLAIN[format]) {
    const value = (values as JsonObject)[member];
    if (value !== undefined) init[localName] = value;
  }
  return init;
}

/** Encodes the fields of a request that a format has as they are. */
export function plainMembers(format: Format, input: InferenceInput): JsonObject {
  const members: JsonObject = {};
  const fields = input as unknown as Readonly<Record<string, unknown>>;
  for (const { localName, member } of PLAIN[format]) {
    if (fields[localName] !== undefined) members[member] = fields[localName];
  }
  return members;
}
