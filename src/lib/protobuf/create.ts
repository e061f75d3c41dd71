import {
  create as createByLibrary,
  type DescField,
  type DescMessage,
  type DescOneof,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { scalarZeroValue } from "@bufbuild/protobuf/reflect";
import { Edition, FeatureSet_FieldPresence, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { FunctionText } from "../function-text.ts";

/** Makes a message from what is said of it. */
type Create = (init: Members) => unknown;
type Members = Readonly<Record<string, unknown>>;

const creates = new WeakMap<DescMessage, Create>();
const NOTHING: Members = {};

/**
 * Creates a message, as the library's create() does, from which it differs in nothing but its time: that one looks at a list of fields
 * for each message, and sets members by names that are different each time; here each kind of message has a function of its own.
 * docs/decisions/0053-hot-path.md has what that is worth.
 */
export function create<Desc extends DescMessage>(schema: Desc, init?: MessageInitShape<Desc>): MessageShape<Desc> {
  return createAny(schema, init ?? NOTHING) as MessageShape<Desc>;
}

function createAny(schema: DescMessage, init: unknown): unknown {
  if (typeof init !== "object" || init === null) return init;
  const members = init as Members;
  if (members["$typeName"] === schema.typeName) return init;
  let make = creates.get(schema);
  if (make === undefined) {
    make = createOf(schema);
    creates.set(schema, make);
  }
  return make(members);
}

function createOf(schema: DescMessage): Create {
  if (!schema.members.every(isPlain)) return (init) => createByLibrary(schema, init as MessageInitShape<DescMessage>);
  const text = new FunctionText();
  const [always, sometimes]: [string[], string[]] = [[], []];
  for (const member of schema.members) {
    const name = JSON.stringify(member.localName);
    const given = `init[${name}]`;
    const value = memberValue(member, given, text);
    if (isAlwaysSet(member)) always.push(`${name}: ${value},`);
    else sometimes.push(`if (${given} != null) message[${name}] = ${value};`);
  }
  const typeName = JSON.stringify(schema.typeName);
  return text.make("init", [
    `const message = { $typeName: ${typeName}, ${always.join(" ")} };`,
    ...sometimes,
    "return message;",
  ]);
}

type Member = DescField | DescOneof;

/** Whether a member is of a kind that is made here: of other kinds, which no proto of ours has, the library knows more. */
function isPlain(member: Member): boolean {
  if (member.parent.file.edition !== Edition.EDITION_PROTO3) return false;
  if (member.kind === "field" && member.fieldKind === "map") return member.message === undefined;
  const fields = member.kind === "oneof" ? member.fields : [member];
  return fields.every(
    ({ message }) =>
      message === undefined || !(isWrapperDesc(message) || message.typeName.startsWith("google.protobuf.Struct")),
  );
}

function isAlwaysSet(member: Member): boolean {
  if (member.kind === "oneof" || member.fieldKind === "list" || member.fieldKind === "map") return true;
  return member.presence === FeatureSet_FieldPresence.IMPLICIT;
}

/** Returns the expression of a member's value; `given` is that of what was said of it. */
function memberValue(member: Member, given: string, text: FunctionText): string {
  if (member.kind === "oneof") return `${text.bind(createChoice(member))}(${given})`;
  const { message } = member;
  switch (member.fieldKind) {
    case "list":
      return message === undefined ? `${given} ?? []` : `${text.bind(createList(message))}(${given})`;
    case "map":
      return `${given} ?? {}`;
    case "message":
      return `${text.bind((value: unknown) => createAny(member.message, value))}(${given})`;
    default: {
      if (!isAlwaysSet(member)) return given;
      const zero = member.fieldKind === "enum" ? member.enum.values[0]?.number : scalarZeroValue(member.scalar, false);
      return `${given} ?? ${text.bind(zero)}`;
    }
  }
}

function createChoice({ fields }: DescOneof) {
  const messages = new Map(fields.map(({ localName, message }) => [localName, message]));
  return (given: { readonly case?: string; readonly value?: unknown } | null | undefined) => {
    const chosen = given?.case;
    if (chosen === undefined || chosen === null || !messages.has(chosen)) return { case: undefined };
    const message = messages.get(chosen);
    return { case: chosen, value: message === undefined ? given?.value : createAny(message, given?.value) };
  };
}

function createList(message: DescMessage) {
  return (given: unknown) => (Array.isArray(given) ? given.map((item) => createAny(message, item)) : (given ?? []));
}
