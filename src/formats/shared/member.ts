import { defineMember, type JsonObject } from "./json.ts";
import {
  type Bounds,
  memberPath,
  readArray,
  readBoolean,
  readChoice,
  readInteger,
  readName,
  readNumber,
  readObject,
  readString,
  WireError,
} from "./read.ts";
import type { Members, Schema } from "./schema.ts";
import * as schemas from "./schema.ts";
import { isNewWord } from "./words.ts";

/** A member of a request: its reader beside its description in the OpenAPI document. */
export interface Member<T = unknown, Context = unknown> {
  /** Throws WireError. */
  readonly read: (value: unknown, path: string, context: Context) => T;
  readonly schema: Schema;
  /** Named schemas that stand in its own. */
  readonly definitions?: Members;
  /** Tells whether a value goes to an upstream of the same format as it is, since the hub has no field for it. */
  readonly isCarried?: (value: unknown) => boolean;
  /** True for a member that is read where it is null or absent too. */
  readonly isRequired?: true;
}

/** Members of an object, by their names. */
export type MemberTable = Readonly<Record<string, Member<unknown, never>>>;

/** The context that all members of a table can be read in. */
type ContextOf<Table> = Table[keyof Table] extends Member<unknown, infer Context> ? Context : never;

/** The values of members; undefined for one that is null or absent. */
export type Values<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Member<infer T, never>
    ? Table[Name] extends { readonly isRequired: true }
      ? T
      : T | undefined
    : never;
};

/** The object that values were read from. */
export interface Source<Context = unknown> {
  readonly object: JsonObject;
  readonly path: string;
  /** Members that the hub has no field for; undefined if there are none. */
  readonly rest: JsonObject | undefined;
  readonly context: Context;
}

/** A member whose value is an object. */
export interface ObjectMember<T, Context = unknown> extends Member<T, Context> {
  readonly table: MemberTable;
}

/** Describes a text. */
export function textMember(description: string, more: Schema = {}): Member<string> {
  return { read: readString, schema: schemas.text(description, more) };
}

/** Describes a text that must not be empty. */
export function nameMember(description: string): Member<string> {
  return { read: readName, schema: schemas.text(description, { minLength: 1 }) };
}

/** Describes true or false. */
export function flagMember(description: string): Member<boolean> {
  return { read: readBoolean, schema: schemas.flag(description) };
}

/** Describes a whole number of 32 bits. */
export function integerMember(description: string, bounds: Bounds = {}): Member<number> {
  return {
    read: (value, path) => readInteger(value, path, bounds),
    schema: schemas.integer(description, describeBounds(bounds)),
  };
}

/** Describes a number. */
export function numberMember(description: string, bounds: Bounds = {}): Member<number> {
  return {
    read: (value, path) => readNumber(value, path, bounds),
    schema: schemas.number(description, describeBounds(bounds)),
  };
}

function describeBounds({ min, max }: Bounds): Schema {
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
}

/** Describes an object whose members are not looked at. */
export function jsonMember(description: string): Member<JsonObject> {
  return { read: readObject, schema: schemas.anyObject(description) };
}

/** Describes a value that is not looked at. */
export function anyMember(description: string): Member {
  return { read: (value) => value, schema: schemas.anything(description) };
}

/** Describes one of a list of words. */
export function choiceMember<const Word extends string>(choices: readonly Word[], description: string): Member<Word> {
  return { read: (value, path) => readChoice(value, path, choices), schema: schemas.choice(choices, description) };
}

/** Describes a word. One that is not known is carried, and its value undefined: vendors add some every month. */
export function wordMember<const Word extends string>(
  known: readonly Word[],
  description: string,
): Member<Word | undefined> {
  const isCarried = (value: unknown) => isNewWord(value, known);
  return {
    read: (value, path) => (isCarried(value) ? undefined : readChoice(value, path, known)),
    schema: schemas.word(known, description),
    isCarried,
  };
}

/** Describes the member that says which form an object has, which is read before the form is. */
export function typeMember(type: string): Member {
  return { read: (value) => value, schema: schemas.constant(type) };
}

/** Describes a list. */
export function listMember<T, Context>(
  { read, schema }: Member<T, Context>,
  description: string,
  more: Schema = {},
): Member<T[], Context> {
  return {
    read: (value, path, context) =>
      readArray(value, path).map((item, index) => read(item, `${path}[${index}]`, context)),
    schema: schemas.list(schema, description, more),
  };
}

/** Describes an object whose members have names of their own. */
export function recordMember<T, Context>(
  { read, schema }: Member<T, Context>,
  description: string,
): Member<Record<string, T>, Context> {
  return {
    read: (value, path, context) => {
      const members = Object.entries(readObject(value, path));
      return Object.fromEntries(members.map(([name, member]) => [name, read(member, memberPath(path, name), context)]));
    },
    schema: schemas.record(schema, description),
  };
}

/** Describes an object that has no other members; `problem` is said of one. */
export function closed<T, Context>(member: ObjectMember<T, Context>, problem: string): ObjectMember<T, Context> {
  return {
    ...member,
    read: (value, path, context) => {
      const unknown = Object.keys(readObject(value, path)).find((name) => !Object.hasOwn(member.table, name));
      if (unknown !== undefined) throw new WireError(memberPath(path, unknown), problem);
      return member.read(value, path, context);
    },
    schema: { ...member.schema, additionalProperties: false },
  };
}

/** Describes an object by its members. */
export function objectMember<const Table extends MemberTable>(
  table: Table,
  description: string,
): ObjectMember<Values<Table>, ContextOf<Table>> {
  return decodedMember(table, description, (values) => values);
}

/** Describes an object by its members, which are read in their order, and what becomes of their values. */
export function decodedMember<const Table extends MemberTable, T, Context extends ContextOf<Table> = ContextOf<Table>>(
  table: Table,
  description: string,
  decode: (values: Values<Table>, source: Source<Context>) => T,
): ObjectMember<T, Context> {
  const entries = Object.entries(table) as [string, Member<unknown, Context>][];
  const names = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const members = new Map(entries);
  return {
    table,
    read: (value, path, context) => {
      const object = readObject(value, path);
      const before = path === "" ? "" : `${path}.`;
      const values: Record<string, unknown> = {};
      for (const [name, { read, isRequired }] of entries) {
        const member = object[name];
        if (isRequired || (member !== undefined && member !== null))
          values[name] = read(member, before + name, context);
      }
      return decode(values as Values<Table>, { object, path, rest: findRest(object, members), context });
    },
    schema: schemas.request(properties, description, names),
  };
}

function findRest(object: JsonObject, members: ReadonlyMap<string, Member<unknown, never>>): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const name of Object.keys(object)) {
    const value = object[name];
    const member = members.get(name);
    if (value === undefined || value === null || (member !== undefined && member.isCarried?.(value) !== true)) continue;
    rest ??= {};
    defineMember(rest, name, value);
  }
  return rest;
}

/** Describes an object that has a name in the OpenAPI document, and a `type` (or another `tag`) of its own. */
export function formMember<const Table extends MemberTable, T, Context extends ContextOf<Table> = ContextOf<Table>>(
  name: string,
  [type, table, description, tag = "type"]: readonly [type: string, table: Table, description: string, tag?: string],
  decode: (values: Values<Table>, source: Source<Context>) => T,
): ObjectMember<T, Context> {
  return named(name, decodedMember({ [tag]: required(typeMember(type)), ...table } as Table, description, decode));
}

/** Describes a member that an object must have. */
export function required<M extends Member<unknown, never>>(member: M): M & { readonly isRequired: true } {
  return { ...member, isRequired: true };
}

/** Describes a member that the hub has no field for, and which goes to an upstream of the same format. */
export function carried<T, Context>(member: Member<T, Context>): Member<T, Context> {
  return { ...member, isCarried: () => true };
}

/** Describes members that the hub has no field for. */
export function carriedTable<const Table extends MemberTable>(table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([name, member]) => [name, carried(member)])) as Table;
}

/** Describes a member that callers write no more. */
export function deprecated<M extends Member<unknown, never>>(member: M): M {
  return { ...member, schema: { ...member.schema, deprecated: true } };
}

/** Gives the schema of a member a name in the OpenAPI document. */
export function named<M extends Member<unknown, never>>(name: string, member: M): M {
  const { schema, definitions } = member;
  return { ...member, schema: schemas.ref(name), definitions: { ...definitions, [name]: schema } };
}

/**
 * Describes an object that has one of several forms by its `type`, which `readType` reads; `decodeNewer` gets one of
 * another type.
 */
export function formsMember<T, Context = unknown>(
  name: string,
  forms: Readonly<Record<string, Member<T, Context>>>,
  description: string,
  decodeNewer: (object: JsonObject, source: { readonly path: string; readonly context: Context }) => T,
  readType: (value: unknown, path: string, known: readonly string[]) => string = readString,
): Member<T, Context> {
  const known = new Map(Object.entries(forms));
  const types = [...known.keys()];
  return {
    read: (value, path, context) => {
      const object = readObject(value, path);
      const form = known.get(readType(object.type, `${path}.type`, types));
      return form === undefined ? decodeNewer(object, { path, context }) : form.read(object, path, context);
    },
    // A type may have another name.
    ...describeForms(name, [...new Set(known.values())], description),
  };
}

/** Returns the schema of an object that has one of several named forms, or a newer one. */
export function describeForms(
  name: string,
  forms: readonly Member<unknown, never>[],
  description: string,
): Pick<Member, "schema" | "definitions"> {
  const anyOf = [...forms.map(({ schema }) => schema), schemas.ref("NewerForm")];
  return { schema: schemas.ref(name), definitions: { ...defineSchemas(forms), [name]: { anyOf, description } } };
}

/** Returns the named schemas of members. */
export function defineSchemas(members: readonly Member<unknown, never>[]): Members {
  return Object.assign({}, ...members.map(({ definitions }) => definitions));
}
