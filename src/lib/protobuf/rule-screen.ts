import { type DescField, type DescMessage, getOption, hasOption, isFieldSet, type Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import {
  type FieldRules,
  FieldRulesSchema,
  field as fieldRules,
  Ignore,
  message as messageRules,
  oneof as oneofRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

type Members = Readonly<Record<string, unknown>>;

/** A field that has rules, or that holds messages which have some. */
interface Step {
  readonly name: string;
  /** Name of the oneof that it is a case of. */
  readonly oneof: string | undefined;
  /** `unknown` has a rule that is left to the whole check wherever it is set; `empty` has none while it is empty. */
  readonly is: "text" | "number" | "enum" | "list" | "empty" | "message" | "unknown";
  /** Bounds of a number, and of the length of a text or a list. */
  readonly bounds: Bounds;
  readonly numbers: ReadonlySet<unknown>;
  /** The steps of the message, or of each of a list, that it holds. */
  readonly plan: readonly Step[];
}

interface Bounds {
  readonly least: number | bigint;
  readonly above: number | bigint;
  readonly most: number | bigint;
  readonly below: number | bigint;
}

/** No bounds; a number that is not finite is beyond them. */
const ANY: Bounds = {
  least: -Number.MAX_VALUE,
  above: Number.NEGATIVE_INFINITY,
  most: Number.MAX_VALUE,
  below: Number.POSITIVE_INFINITY,
};
const NO_NUMBERS: ReadonlySet<unknown> = new Set();
const UNKNOWN = { is: "unknown", bounds: ANY, numbers: NO_NUMBERS, plan: [] } as const;

/**
 * Creates a quick look at messages, true where one surely keeps the rules of its proto. Where it is false, a whole
 * check has to say; that one visits every field of every message with objects of its own.
 */
export function createRuleScreen(schema: DescMessage): (message: Message) => boolean {
  const plan = getPlan(schema, new Map());
  return (message) => keepsAll(plan, message as unknown as Members);
}

function keepsAll(plan: readonly Step[], message: Members): boolean {
  for (const step of plan) {
    const value = step.oneof === undefined ? message[step.name] : valueOfCase(step, message);
    if (value !== undefined && !keeps(step, value)) return false;
  }
  return true;
}

function valueOfCase({ name, oneof = "" }: Step, message: Members): unknown {
  const { case: kind, value } = message[oneof] as { readonly case?: string; readonly value?: unknown };
  return kind === name ? value : undefined;
}

function keeps({ is, bounds, numbers, plan }: Step, value: unknown): boolean {
  switch (is) {
    case "text":
      return isWithin((value as string).length, bounds);
    case "number":
      return isWithin(value as number | bigint, bounds);
    case "enum":
      return numbers.has(value);
    case "list": {
      const items = value as readonly Members[];
      if (!isWithin(items.length, bounds)) return false;
      if (plan.length > 0) for (const item of items) if (!keepsAll(plan, item)) return false;
      return true;
    }
    case "empty":
      for (const _ in value as object) return false;
      return true;
    case "message":
      return keepsAll(plan, value as Members);
    case "unknown":
      return false;
    default:
      return is satisfies never;
  }
}

function isWithin(value: number | bigint, { least, above, most, below }: Bounds): boolean {
  return value >= least && value > above && value <= most && value < below;
}

type Plans = Map<string, Step[]>;

/** Returns the steps of a message; none where nothing in it has a rule. One that is under way is filled later. */
function getPlan(schema: DescMessage, plans: Plans): readonly Step[] {
  const known = plans.get(schema.typeName);
  if (known !== undefined) return known;
  const plan: Step[] = [];
  plans.set(schema.typeName, plan);
  const isRuled = hasOption(schema, messageRules) || schema.oneofs.some((oneof) => hasOption(oneof, oneofRules));
  // The name of the type is set in every message.
  if (isRuled) plan.push({ ...UNKNOWN, name: "$typeName", oneof: undefined });
  for (const field of schema.fields) {
    const rules = hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined;
    if (rules?.ignore === Ignore.ALWAYS) continue;
    const isRequired = rules?.required === true || field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED;
    const step = getStep(field, rules, plans);
    if (isRequired) plan.push({ ...UNKNOWN, name: "$typeName", oneof: undefined });
    else if (step !== undefined) plan.push({ ...step, name: field.localName, oneof: field.oneof?.localName });
  }
  return plan;
}

/** Returns undefined for a field of which nothing has a rule. */
function getStep(
  field: DescField,
  rules: FieldRules | undefined,
  plans: Plans,
): Omit<Step, "name" | "oneof"> | undefined {
  const { message, fieldKind } = field;
  if (rules !== undefined && (rules.cel.length > 0 || rules.celExpression.length > 0)) return UNKNOWN;
  const isUnderWay = message !== undefined && plans.has(message.typeName);
  const plan = message === undefined || isIgnoringItems(rules) ? [] : getPlan(message, plans);
  const hasPlan = plan.length > 0 || (isUnderWay && !isIgnoringItems(rules));
  const { case: kind, value: own } = rules?.type ?? {};
  if (kind !== undefined && own !== undefined) return ruledStep(field, { kind, own, rules, plan });
  if (!hasPlan) return undefined;
  return { ...UNKNOWN, is: fieldKind === "map" ? "empty" : fieldKind === "list" ? "list" : "message", plan };
}

/** The rules of a field that has some of its own, and the steps of the messages that it holds. */
interface Ruled {
  readonly kind: string;
  readonly own: Message;
  readonly rules: FieldRules | undefined;
  readonly plan: readonly Step[];
}

function ruledStep(field: DescField, { kind, own, rules, plan }: Ruled): Omit<Step, "name" | "oneof"> {
  const set = setMembers(kind, own);
  if (set === undefined) return UNKNOWN;
  switch (field.fieldKind) {
    case "scalar":
      return kind === "string" ? textStep(set) : numberStep(set);
    case "enum":
      return enumStep(field, set);
    case "list": {
      const { minItems = 0n, maxItems = ANY.most, items, ...others } = set;
      const bounds = { ...ANY, least: minItems as bigint, most: maxItems as bigint };
      const isBounded = Object.keys(others).length === 0 && (items === undefined || isIgnoringItems(rules));
      if (isBounded) return { ...UNKNOWN, is: "list", bounds, plan };
      return minItems === 0n ? { ...UNKNOWN, is: "empty" } : UNKNOWN;
    }
    case "map":
      return "minPairs" in set ? UNKNOWN : { ...UNKNOWN, is: "empty" };
    default:
      return UNKNOWN;
  }
}

/** Returns whether the items of a list have no rules, whatever their messages say. */
function isIgnoringItems(rules: FieldRules | undefined): boolean {
  return rules?.type.case === "repeated" && rules.type.value.items?.ignore === Ignore.ALWAYS;
}

/** Returns the rules of a kind that are set, by name; undefined if there are some of an extension. */
function setMembers(kind: string, rules: Message): Record<string, unknown> | undefined {
  const schema = FieldRulesSchema.fields.find(({ localName }) => localName === kind)?.message;
  if (schema === undefined || rules.$unknown !== undefined) return undefined;
  const members: Record<string, unknown> = {};
  for (const field of schema.fields) {
    if (!isFieldSet(rules as never, field) || field.localName === "example") continue;
    const holder = rules as unknown as Members;
    members[field.localName] =
      field.oneof === undefined ? holder[field.localName] : (holder[field.oneof.localName] as Members)["value"];
  }
  return members;
}

/** A text of so many characters has at least half as many code points, which the rules count. */
function textStep({ minLen = 0n, maxLen = ANY.most, ...others }: Record<string, unknown>) {
  if (Object.keys(others).length > 0) return UNKNOWN;
  const bounds = { ...ANY, least: 2n * (minLen as bigint) - 1n, most: maxLen as bigint };
  return { ...UNKNOWN, is: "text" as const, bounds };
}

function numberStep({ gte, gt, lte, lt, finite: _, ...others }: Record<string, unknown>) {
  if (Object.keys(others).length > 0) return UNKNOWN;
  const bound = (value: unknown, instead: number | bigint) => (value as number | bigint | undefined) ?? instead;
  const bounds = {
    least: bound(gte, ANY.least),
    above: bound(gt, ANY.above),
    most: bound(lte, ANY.most),
    below: bound(lt, ANY.below),
  };
  return { ...UNKNOWN, is: "number" as const, bounds };
}

function enumStep(field: DescField, { definedOnly, ...others }: Record<string, unknown>) {
  if (definedOnly !== true || Object.keys(others).length > 0) return UNKNOWN;
  const numbers = new Set<unknown>(field.enum?.values.map(({ number }) => number));
  return { ...UNKNOWN, is: "enum" as const, numbers };
}
