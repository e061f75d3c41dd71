import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { TimestampSchema, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { enumWord } from "../../lib/protobuf/enum-word.ts";

/** An object of JSON or YAML. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/**
 * Returns the message of an object that a schema has checked: members go by the names of fields, enums by words, times
 * by dates. Numbers may be texts, as references leave them.
 */
export function messageFromJson(schema: DescMessage, json: JsonMembers): Message {
  const fields = schema.fields.flatMap((field) => {
    const value = json[field.localName];
    if (value === undefined || value === null) return [];
    const isList = field.fieldKind === "list";
    return [
      [field.localName, isList ? (value as unknown[]).map((each) => fromJson(field, each)) : fromJson(field, value)],
    ];
  });
  return create(schema, Object.fromEntries(fields));
}

function fromJson({ message, enum: words, scalar }: DescField, value: unknown): unknown {
  if (message?.typeName === TimestampSchema.typeName) return timestampFromDate(new Date(String(value)));
  if (message !== undefined) return messageFromJson(message, value as JsonMembers);
  if (words !== undefined) return words.values.find(({ localName }) => localName.toLowerCase() === value)?.number ?? 0;
  if (scalar === ScalarType.INT64) return BigInt(value as string | number);
  return scalar === ScalarType.DOUBLE ? Number(value) : value;
}

/** Returns a message as a file has it, without what is unset. */
export function messageToJson(schema: DescMessage, message: Message): JsonMembers {
  const reflected = reflect(schema, message);
  const members = schema.fields.flatMap((field) => {
    if (!reflected.isSet(field)) return [];
    const value = (message as unknown as JsonMembers)[field.localName];
    const isList = field.fieldKind === "list";
    return [[field.localName, isList ? (value as unknown[]).map((each) => toJson(field, each)) : toJson(field, value)]];
  });
  return Object.fromEntries(members);
}

function toJson({ message, enum: words }: DescField, value: unknown): unknown {
  if (message?.typeName === TimestampSchema.typeName) {
    return timestampDate(value as Parameters<typeof timestampDate>[0]).toISOString();
  }
  if (message !== undefined) return messageToJson(message, value as Message);
  if (words !== undefined) return enumWord(words, words.value[value as number]?.name ?? "");
  return typeof value === "bigint" ? Number(value) : value;
}
