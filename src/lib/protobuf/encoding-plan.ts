import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { Edition, FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";

/** The form of a value; `other` is left to the library. */
type Kind = "text" | "bytes" | "flag" | "double" | "integer" | "long" | "message" | "map" | "other";

/** The writing of one field. */
export interface EncodingStep {
  /** Member of the message that has the value, or the group that it is a case of. */
  readonly member: string;
  readonly case: string | undefined;
  /** Field number and wire type. */
  readonly tag: number;
  readonly kind: Kind;
  /** True of lists and maps. */
  readonly isMany: boolean;
  /** Value that is not written: undefined where a field may be unset, null where all are written. */
  readonly zero: unknown;
  /** Of a field that holds messages; of a map, its key and its value. */
  readonly plan: EncodingPlan | undefined;
}

/** The writing of a message, field by field, in the order of their numbers. */
export interface EncodingPlan {
  readonly typeName: string;
  readonly steps: EncodingStep[];
}

/** Stands for bytes of no length. */
export const NO_BYTES = "no bytes";

const KINDS: ReadonlyMap<ScalarType | undefined, Kind> = new Map([
  [ScalarType.STRING, "text"],
  [ScalarType.BYTES, "bytes"],
  [ScalarType.BOOL, "flag"],
  [ScalarType.DOUBLE, "double"],
  [ScalarType.INT32, "integer"],
  [ScalarType.INT64, "long"],
]);

/** The value of each kind that is not written where a field cannot be unset. */
const ZEROS: Readonly<Record<Kind, unknown>> = {
  text: "",
  bytes: NO_BYTES,
  flag: false,
  double: 0,
  integer: 0,
  long: 0n,
  message: undefined,
  map: null,
  other: null,
};

const WIRE_TYPES: Readonly<Record<Kind, WireType>> = {
  text: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  flag: WireType.Varint,
  double: WireType.Bit64,
  integer: WireType.Varint,
  long: WireType.Varint,
  message: WireType.LengthDelimited,
  map: WireType.LengthDelimited,
  other: WireType.LengthDelimited,
};

/** Both of an entry of a map are always written. */
const ENTRY = { member: "", case: undefined, isMany: false, zero: null, plan: undefined } as const;

const plans = new WeakMap<DescMessage, EncodingPlan>();

/** Creates the plan of a message, once; one that is under way is filled later, since a message may have others of its kind. */
export function createEncodingPlan(schema: DescMessage): EncodingPlan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const plan: EncodingPlan = { typeName: schema.typeName, steps: [] };
  plans.set(schema, plan);
  for (const field of schema.fields.toSorted((a, b) => a.number - b.number)) plan.steps.push(getStep(field));
  return plan;
}

function getStep(field: DescField): EncodingStep {
  const isList = field.fieldKind === "list";
  const isPacked = isList && field.packed;
  // Other editions have what is unset on the prototypes of messages.
  const isUsual = field.parent.file.edition === Edition.EDITION_PROTO3 && !isPacked;
  const kind = isUsual ? getKind(field) : "other";
  const isImplicit = field.presence === FeatureSet_FieldPresence.IMPLICIT;
  const isAlways = isList || kind === "map" || field.oneof !== undefined;
  return {
    member: field.oneof?.localName ?? field.localName,
    case: field.oneof && field.localName,
    tag: getTag(field.number, kind),
    kind,
    isMany: isList || kind === "map",
    zero: isAlways ? null : isImplicit ? ZEROS[kind] : undefined,
    plan: createFieldPlan(field),
  };
}

function getKind(field: DescField): Kind {
  if (field.fieldKind === "map") return "map";
  if (field.message !== undefined) return "message";
  return field.enum === undefined ? (KINDS.get(field.scalar) ?? "other") : "integer";
}

function createFieldPlan(field: DescField): EncodingPlan | undefined {
  if (field.fieldKind !== "map") return field.message && createEncodingPlan(field.message);
  const key: EncodingStep = {
    ...ENTRY,
    tag: getTag(1, "text"),
    kind: field.mapKey === ScalarType.STRING ? "text" : "other",
  };
  const value = KINDS.get(field.scalar) ?? "other";
  return { typeName: "", steps: [key, { ...ENTRY, tag: getTag(2, value), kind: value }] };
}

function getTag(number: number, kind: Kind): number {
  return number * 8 + WIRE_TYPES[kind];
}
