import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { field as rulesOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** Messages that JSON has as texts. */
const TEXTS: Readonly<Record<string, string>> = {
  "google.protobuf.Timestamp": "must be a time such as 2027-01-31T12:00:00Z",
  "google.protobuf.Duration": "must be a number of seconds with an s, such as 3600s",
};

const NUMBER = "must be a number";
const wholeNumber = (from: bigint, bits: bigint): string =>
  `must be a whole number from ${from} to ${from + 2n ** bits - 1n}`;
const [INT32, INT64] = [wholeNumber(-(2n ** 31n), 32n), wholeNumber(-(2n ** 63n), 64n)];
const [UINT32, UINT64] = [wholeNumber(0n, 32n), wholeNumber(0n, 64n)];

const SCALARS: Readonly<Record<ScalarType, string>> = {
  [ScalarType.STRING]: "must be a string",
  [ScalarType.BYTES]: "must be a string in base64",
  [ScalarType.BOOL]: "must be true or false",
  [ScalarType.DOUBLE]: NUMBER,
  [ScalarType.FLOAT]: NUMBER,
  [ScalarType.INT32]: INT32,
  [ScalarType.SINT32]: INT32,
  [ScalarType.SFIXED32]: INT32,
  [ScalarType.UINT32]: UINT32,
  [ScalarType.FIXED32]: UINT32,
  [ScalarType.INT64]: INT64,
  [ScalarType.SINT64]: INT64,
  [ScalarType.SFIXED64]: INT64,
  [ScalarType.UINT64]: UINT64,
  [ScalarType.FIXED64]: UINT64,
};

/** Returns the form of a field's value in JSON, or of an item of its list, as the end of an error. */
export function fieldForm(field: DescField): string {
  const { scalar, message } = field;
  return scalar === undefined ? (textForm(message) ?? "must be an object") : (getBounds(field) ?? SCALARS[scalar]);
}

/** Returns the form of a whole number with bounds of its own, which are narrower than its type's. */
function getBounds(field: DescField): string | undefined {
  const { type } = getOption(field, rulesOption);
  if (type.case !== "int64" && type.case !== "int32") return undefined;
  const { greaterThan, lessThan } = type.value;
  if (greaterThan.case !== "gte" || lessThan.case !== "lte") return undefined;
  return `must be a whole number from ${greaterThan.value} to ${lessThan.value}`;
}

/** Returns the form of a message that JSON has as a text; undefined of others. */
export function textForm(message: DescMessage | undefined): string | undefined {
  return message && TEXTS[message.typeName];
}

/** Returns a number that a double cannot hold as its field reads it: digits, or the nearest double. */
export function readRawNumber({ scalar }: DescField, raw: object): unknown {
  const text = JSON.stringify(raw);
  return scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT ? Number(text) : text;
}
