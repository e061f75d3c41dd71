import { clone, create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { CacheMarkSchema, type Dialect, RawJsonSchema } from "../../gen/attune/content/v1/content_pb.ts";

/** A message in which one field was set. */
export interface FieldCase<Root extends Message> {
  readonly root: Root;
  /** The same as it was before, or without the field if it was not set. */
  readonly before: Root;
  /** The field, by its message's type: `attune.content.v1.ImageBlock.detail`. */
  readonly field: string;
  /** Where it stands, by the names in proto: `messages[0].content[1].image.detail`. */
  readonly place: string;
  /** Value, as a test's name tells it. */
  readonly value: string;
  /** Text by which the value is found again; undefined for a value that is no text or number. */
  readonly marker: string | undefined;
}

/** One step from a message to one inside it: a field, and its position in a list. */
type Step = readonly [field: DescField, index: number | undefined];

/** A message inside of another one. */
interface Host {
  readonly schema: DescMessage;
  readonly path: readonly Step[];
  readonly place: string;
}

/**
 * Sets each field of `root`, and of each message inside it, one at a time, to each kind of value that it can have. JSON
 * of one format is of `dialect`. The case of a oneof that is a message stays as it is.
 */
export function setFields<Root extends Message>(schema: DescMessage, root: Root, dialect: Dialect): FieldCase<Root>[] {
  return hostsOf(schema, root).flatMap((host) =>
    host.schema.fields.flatMap((field) =>
      valuesOf(field, dialect).flatMap((value) => {
        const changed = clone(schema, root) as Root;
        const view = viewOf(schema, changed, host.path);
        if (isOtherCase(view, field) || isAlreadySet(view, field, value.value)) return [];
        value.put(view);
        const place = host.place === "" ? field.name : `${host.place}.${field.name}`;
        const name = `${host.schema.typeName}.${field.name}`;
        return [{ root: changed, before: root, field: name, place, value: value.name, marker: value.marker }];
      }),
    ),
  );
}

/** Lists `root` and the messages inside it. */
export function hostsOf(schema: DescMessage, root: Message): readonly Host[] {
  const hosts: Host[] = [];
  const walk = (host: Host): void => {
    if (host.schema.typeName === RawJsonSchema.typeName) return;
    hosts.push(host);
    const view = viewOf(schema, root, host.path);
    for (const field of host.schema.fields) {
      const { message } = field;
      if (message === undefined || field.fieldKind === "map" || !view.isSet(field)) continue;
      const indexes = field.fieldKind === "list" ? [...view.get(field)].map((_item, index) => index) : [undefined];
      for (const index of indexes) walk(inside(host, field, message, index));
    }
  };
  walk({ schema, path: [], place: "" });
  return hosts;
}

function inside(host: Host, field: DescField, schema: DescMessage, index: number | undefined): Host {
  const outer = host.place === "" ? "" : `${host.place}.`;
  const position = index === undefined ? "" : `[${index}]`;
  return { schema, path: [...host.path, [field, index]], place: `${outer}${field.name}${position}` };
}

/** Lists the types of messages that can stand somewhere inside of one of `schema`, itself included. */
export function typesInside(schema: DescMessage, found = new Map<string, DescMessage>()): Map<string, DescMessage> {
  if (found.has(schema.typeName) || schema.typeName === RawJsonSchema.typeName) return found;
  found.set(schema.typeName, schema);
  for (const field of schema.fields) if (field.message !== undefined) typesInside(field.message, found);
  return found;
}

function viewOf(schema: DescMessage, root: Message, path: readonly Step[]): ReflectMessage {
  let view: ReflectMessage = reflect(schema, root);
  for (const [field, index] of path) {
    const value: unknown = view.get(field);
    view = (index === undefined ? value : [...(value as Iterable<unknown>)][index]) as ReflectMessage;
  }
  return view;
}

function isOtherCase(view: ReflectMessage, field: DescField): boolean {
  const set = field.oneof === undefined ? field : view.oneofCase(field.oneof);
  if (set === field || field.message?.typeName === RawJsonSchema.typeName) return false;
  return set?.fieldKind === "message" || field.fieldKind === "message";
}

function isAlreadySet(view: ReflectMessage, field: DescField, value: unknown): boolean {
  return view.isSet(field) && (field.fieldKind === "message" ? value === "" : view.get(field) === value);
}

interface Value {
  readonly name: string;
  readonly value: unknown;
  readonly marker: string | undefined;
  put(view: ReflectMessage): void;
}

type Given = readonly [name: string, value: unknown, marker?: string];

function valuesOf(field: DescField, dialect: Dialect): Value[] {
  const values = (given: readonly Given[], put: (view: ReflectMessage, value: unknown) => void): Value[] =>
    given.map(([name, value, marker]) => ({ name, value, marker, put: (view) => put(view, value) }));
  switch (field.fieldKind) {
    case "scalar":
      return values(scalarValues(field, field.scalar), (view, value) => view.set(field, value));
    case "enum": {
      const numbers = field.enum.values
        .filter(({ number }) => number !== 0)
        .map(({ name, number }): Given => [name, number]);
      return values(numbers, (view, value) => view.set(field, value));
    }
    case "list":
      if (field.listKind !== "scalar") return [];
      return values(scalarValues(field, field.scalar), (view, value) => view.get(field).add(value));
    case "map":
      return values([["a member", "zq_member", "zq_member"]], (view, value) => view.get(field).set("zq_name", value));
    case "message": {
      const { message } = field;
      if (message.typeName === RawJsonSchema.typeName) {
        // What only one format knows stands in the place of any block or tool, and has a type.
        const type = field.oneof === undefined ? "" : '"type":"zq_type",';
        const json = `{${type}"zq_member":"zq_value"}`;
        const raw = () => reflect(RawJsonSchema, create(RawJsonSchema, { dialect, json }));
        return values([["JSON", "JSON", "zq_value"]], (view) => view.set(field, raw()));
      }
      // Of all messages, a mark alone says something by being there.
      if (message.typeName !== CacheMarkSchema.typeName) return [];
      return values([["empty", ""]], (view) => view.set(field, reflect(message, create(message))));
    }
  }
}

function scalarValues({ name, presence }: DescField, type: ScalarType): Given[] {
  switch (type) {
    case ScalarType.STRING:
      return textsOf(name);
    case ScalarType.BYTES:
      return [["bytes", Buffer.from("zq_bytes"), Buffer.from("zq_bytes").toString("base64")]];
    case ScalarType.BOOL:
      return presence === FeatureSet_FieldPresence.IMPLICIT
        ? [["true", true]]
        : [
            ["true", true],
            ["false", false],
          ];
    case ScalarType.DOUBLE:
      return [["0.1237", 0.1237, "0.1237"]];
    case ScalarType.INT32:
    case ScalarType.UINT32:
      return [["1237", 1237, "1237"]];
    case ScalarType.INT64:
      return [["1237", 1237n, "1237"]];
    default:
      throw new Error(`${name} is of the type ${ScalarType[type]}, of which scalarValues() has no value yet`);
  }
}

/** What must be JSON, base64 or an address is it. Of other texts some formats take short ones only. */
function textsOf(name: string): Given[] {
  if (name.endsWith("_json")) return [["JSON", '{"type":"object","title":"zq_json"}', "zq_json"]];
  if (name === "arguments") {
    return [
      ["JSON", '{"zq":"zq_arguments"}', "zq_arguments"],
      ["a text", "zq_arguments", "zq_arguments"],
    ];
  }
  if (name === "base64") return [["base64", "enFfYmFzZTY0enFfYmFzZTY0", "enFfYmFzZTY0enFfYmFzZTY0"]];
  if (name === "url") return [["an address", "https://example.com/zq_url", "zq_url"]];
  const long = `zq_${name}_${"x".repeat(200)}`;
  return [
    ["a text", `zq_${name}`, `zq_${name}`],
    ["a long text", long, long],
  ];
}
