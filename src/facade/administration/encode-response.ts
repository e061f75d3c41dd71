import { type DescField, type DescMessage, type Message, ScalarType, toJson } from "@bufbuild/protobuf";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { enumWord } from "../../lib/protobuf/enum-word.ts";

/**
 * Encodes a response: `object` says what it is, and the members of its resource stand beside those of the response, or
 * its list is in `data`. What is not known is null.
 */
export function encodeResponse(schema: DescMessage, response: Message): JsonObject {
  const fields = encodeFields(schema, toJson(schema, response, { useProtoFieldName: true, alwaysEmitImplicit: true }));
  const list = schema.fields.find(isListOfMessages);
  if (list !== undefined) {
    const { [list.name]: data = [], ...others } = fields;
    return { object: "list", data, ...others };
  }
  const resource = schema.fields.find(({ fieldKind }) => fieldKind === "message");
  if (resource === undefined) return fields;
  const { [resource.name]: members, ...others } = fields;
  return { object: resource.name, ...(isJsonObject(members) ? members : {}), ...others };
}

function isListOfMessages(field: DescField): boolean {
  return field.fieldKind === "list" && field.listKind === "message";
}

function encodeFields(schema: DescMessage, json: unknown): JsonObject {
  const given = isJsonObject(json) ? json : {};
  return Object.fromEntries(
    schema.fields.map((field) => [field.name, encodeField(field, given[field.name] ?? null)] as const),
  );
}

/** Proto's JSON has 64-bit numbers as texts, and enums by names that repeat their type. */
function encodeField(field: DescField, value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((each) => encodeOne(field, each));
  return field.fieldKind === "map" ? value : encodeOne(field, value);
}

function encodeOne(field: DescField, value: unknown): unknown {
  if (field.message !== undefined) {
    return field.message.typeName.startsWith("google.protobuf.") ? value : encodeFields(field.message, value);
  }
  if (field.enum !== undefined) return enumWord(field.enum, String(value));
  return field.scalar === ScalarType.INT64 ? Number(value) : value;
}
