import { execFileSync } from "node:child_process";
import { fromBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  type ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";

/** Comments of the protos, by the name of what they are of. */
export interface Comments {
  /** Returns the comment of a message, an enum or a service, or of a member of it; empty if there is none. */
  of(type: string, member?: string): string;
}

/** A member of a message, an enum or a service. */
interface Member {
  readonly name: string;
  /** Type of a field, request and response of a method; empty for a value. */
  readonly type: string;
  readonly comment: string;
}

/** A message, an enum or a service of a file. */
export interface ProtoType {
  readonly kind: "message" | "enum" | "service";
  /** Name, behind those of the messages that it stands in. */
  readonly name: string;
  readonly comment: string;
  readonly members: readonly Member[];
}

/** A file of the protos. */
export interface ProtoFile {
  readonly package: string;
  readonly comment: string;
  readonly types: readonly ProtoType[];
}

/** Reads the protos of Attune with their comments. */
export function readProtos(): readonly ProtoFile[] {
  const image = execFileSync("buf", ["build", "proto", "-o", "-#format=binpb"], { maxBuffer: 2 ** 26 });
  const { file } = fromBinary(FileDescriptorSetSchema, image);
  return file.filter(({ package: name }) => name.startsWith("attune.")).map(readFile);
}

/** Returns the comments of protos. */
export function commentsOf(files: readonly ProtoFile[]): Comments {
  const types = new Map(files.flatMap((file) => file.types.map((type) => [`${file.package}.${type.name}`, type])));
  return {
    of(name, member) {
      const type = types.get(name);
      return (member === undefined ? type?.comment : type?.members.find((each) => each.name === member)?.comment) ?? "";
    },
  };
}

/** Numbers of fields in a descriptor, of which the places of comments are made. */
const IN_FILE = { package: 2, message: 4, enum: 5, service: 6 } as const;
const IN_MESSAGE = { field: 2, message: 3, enum: 4 } as const;
/** Values of an enum, and methods of a service. */
const MEMBER = 2;

type Path = readonly number[];

/** Returns the comment at a place; empty if there is none. */
type CommentAt = (path: Path) => string;

function readFile(file: FileDescriptorProto): ProtoFile {
  const locations = file.sourceCodeInfo?.location ?? [];
  const told = new Map(locations.map(({ path, leadingComments }) => [path.join("."), leadingComments.trim()]));
  const comment: CommentAt = (path) => told.get(path.join(".")) ?? "";
  return {
    package: file.package,
    comment: comment([IN_FILE.package]),
    types: [
      ...file.service.map((each, at) => readService(each, [IN_FILE.service, at], comment)),
      ...file.messageType.flatMap((each, at) => readMessage(each, [IN_FILE.message, at], comment)),
      ...file.enumType.map((each, at) => readEnum(each, [IN_FILE.enum, at], comment)),
    ],
  };
}

function readService({ name, method }: ServiceDescriptorProto, path: Path, comment: CommentAt): ProtoType {
  const members = method.map((each, at) => ({
    name: each.name,
    type: `${shortName(each.inputType)} → ${each.serverStreaming ? "stream of " : ""}${shortName(each.outputType)}`,
    comment: comment([...path, MEMBER, at]),
  }));
  return { kind: "service", name, comment: comment(path), members };
}

function readEnum({ name, value }: EnumDescriptorProto, path: Path, comment: CommentAt): ProtoType {
  const members = value.map((each, at) => ({ name: each.name, type: "", comment: comment([...path, MEMBER, at]) }));
  return { kind: "enum", name, comment: comment(path), members };
}

/** Reads a message, and the messages and enums inside of it. */
function readMessage(message: DescriptorProto, path: Path, comment: CommentAt): ProtoType[] {
  const { name } = message;
  const members = message.field.map((each, at) => ({
    name: each.name,
    type: fieldType(each, message),
    comment: comment([...path, IN_MESSAGE.field, at]),
  }));
  const inside = [
    ...message.nestedType.flatMap((each, at) =>
      each.options?.mapEntry === true ? [] : readMessage(each, [...path, IN_MESSAGE.message, at], comment),
    ),
    ...message.enumType.map((each, at) => readEnum(each, [...path, IN_MESSAGE.enum, at], comment)),
  ];
  const own: ProtoType = { kind: "message", name, comment: comment(path), members };
  return [own, ...inside.map((type) => ({ ...type, name: `${name}.${type.name}` }))];
}

function fieldType(field: FieldDescriptorProto, holder: DescriptorProto): string {
  const entry = holder.nestedType.find(({ name, options }) => options?.mapEntry && field.typeName.endsWith(`.${name}`));
  if (entry !== undefined) return `map of ${entry.field.map(plainType).join(" to ")}`;
  if (field.label === FieldDescriptorProto_Label.REPEATED) return `repeated ${plainType(field)}`;
  return field.proto3Optional ? `optional ${plainType(field)}` : plainType(field);
}

function plainType({ type, typeName }: FieldDescriptorProto): string {
  return typeName === "" ? (FieldDescriptorProto_Type[type] ?? "").toLowerCase() : shortName(typeName);
}

/** `.attune.content.v1.Message` is `Message`. */
function shortName(name: string): string {
  return name.replace(/^\.(?:[a-z0-9_]+\.)*/, "");
}
