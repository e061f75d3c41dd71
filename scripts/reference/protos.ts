import { execFileSync } from "node:child_process";
import { fromBinary } from "@bufbuild/protobuf";
import {
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";

/** Comments of the protos, by the name of what they are of. */
export interface Comments {
  /** Returns the comment of a message, an enum or a service, or of a member of it; empty if there is none. */
  of(type: string, member?: string): string;
}

/** A member of a message, an enum or a service. */
interface Member {
  readonly name: string;
  /** Type of a field, request and answer of a method; empty for a value. */
  readonly type: string;
  readonly comment: string;
}

/** A message, an enum or a service of a file. */
export interface ProtoType {
  readonly kind: "message" | "enum" | "service";
  /** Name with those that it stands in. */
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

/** Numbers of what holds what in a descriptor, by which places of comments are named. */
const IN_FILE = { package: 2, message: 4, enum: 5, service: 6 } as const;
const IN_MESSAGE = { field: 2, message: 3, enum: 4 } as const;
const MEMBER = 2;

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

function readFile(file: FileDescriptorProto): ProtoFile {
  const told = new Map(
    (file.sourceCodeInfo?.location ?? []).map(({ path, leadingComments }) => [path.join("."), leadingComments.trim()]),
  );
  const comment = (...path: readonly number[]): string => told.get(path.join(".")) ?? "";
  const types: ProtoType[] = file.service.map(({ name, method }, at) => ({
    kind: "service",
    name,
    comment: comment(IN_FILE.service, at),
    members: method.map((each, index) => ({
      name: each.name,
      type: `${shortName(each.inputType)} → ${each.serverStreaming ? "stream of " : ""}${shortName(each.outputType)}`,
      comment: comment(IN_FILE.service, at, MEMBER, index),
    })),
  }));
  const addEnum = (
    { name, value }: FileDescriptorProto["enumType"][number],
    path: readonly number[],
    before: string,
  ): void => {
    const members = value.map((each, at) => ({ name: each.name, type: "", comment: comment(...path, MEMBER, at) }));
    types.push({ kind: "enum", name: before + name, comment: comment(...path), members });
  };
  const addMessage = (
    message: FileDescriptorProto["messageType"][number],
    path: readonly number[],
    before: string,
  ): void => {
    const members = message.field.map((each, at) => ({
      name: each.name,
      type: fieldType(each, message),
      comment: comment(...path, IN_MESSAGE.field, at),
    }));
    types.push({ kind: "message", name: before + message.name, comment: comment(...path), members });
    const inside = `${before}${message.name}.`;
    message.nestedType.forEach((each, at) => {
      if (each.options?.mapEntry !== true) addMessage(each, [...path, IN_MESSAGE.message, at], inside);
    });
    message.enumType.forEach((each, at) => {
      addEnum(each, [...path, IN_MESSAGE.enum, at], inside);
    });
  };
  file.messageType.forEach((each, at) => {
    addMessage(each, [IN_FILE.message, at], "");
  });
  file.enumType.forEach((each, at) => {
    addEnum(each, [IN_FILE.enum, at], "");
  });
  return { package: file.package, comment: comment(IN_FILE.package), types };
}

function fieldType(field: FieldDescriptorProto, holder: FileDescriptorProto["messageType"][number]): string {
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
