/**
 * Writes proto/buf/validate/validate.proto, which our protos import, from the descriptor that the protovalidate package
 * embeds: the registry offers no package with the file itself, and the descriptor cannot drift from the runtime.
 * Options on the file's own declarations are left out: they do not bear on code generation, but for the packages of
 * languages.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { type DescEnum, type DescExtension, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { FileOptions } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate as file } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

const pad = (depth: number) => "  ".repeat(depth);

function typeName(field: DescField | DescExtension): string {
  if (field.fieldKind === "map") {
    const value =
      field.mapKind === "scalar"
        ? ScalarType[field.scalar].toLowerCase()
        : `.${(field.message ?? field.enum)?.typeName}`;
    return `map<${ScalarType[field.mapKey].toLowerCase()}, ${value}>`;
  }
  const type = field.message ?? field.enum;
  return type ? `.${type.typeName}` : ScalarType[field.scalar as ScalarType].toLowerCase();
}

function printField(field: DescField | DescExtension, depth: number): string {
  const inOneof = field.kind === "field" && field.oneof !== undefined;
  const label = field.fieldKind === "map" || inOneof ? "" : field.fieldKind === "list" ? "repeated " : "optional ";
  return `${pad(depth)}${label}${typeName(field)} ${field.name} = ${field.number};\n`;
}

function printEnum(desc: DescEnum, depth: number): string {
  const values = desc.values.map((value) => `${pad(depth + 1)}${value.name} = ${value.number};\n`).join("");
  return `${pad(depth)}enum ${desc.name} {\n${values}${pad(depth)}}\n`;
}

function printMessage(desc: DescMessage, depth: number): string {
  const nested = [
    ...desc.nestedEnums.map((nestedEnum) => printEnum(nestedEnum, depth + 1)),
    ...desc.nestedMessages.map((message) => printMessage(message, depth + 1)),
  ].join("");
  const members = desc.members
    .map((member) =>
      member.kind === "oneof"
        ? `${pad(depth + 1)}oneof ${member.name} ` +
          `{\n${member.fields.map((field) => printField(field, depth + 2)).join("")}${pad(depth + 1)}}\n`
        : printField(member, depth + 1),
    )
    .join("");
  const ranges = desc.proto.extensionRange
    .map((range) => {
      const last = (range.end ?? 0) - 1;
      return `${pad(depth + 1)}extensions ${range.start} to ${last >= 536870911 ? "max" : last};\n`;
    })
    .join("");
  return `${pad(depth)}message ${desc.name} {\n${nested}${members}${ranges}${pad(depth)}}\n`;
}

/** Prints the options of the file for languages whose packages are not those of protos. */
function printOptions(options: FileOptions | undefined): string {
  const { goPackage = "", javaPackage = "", javaMultipleFiles = false } = options ?? {};
  const go = `option go_package = "${goPackage}";\n`;
  return `${go}option java_multiple_files = ${javaMultipleFiles};\noption java_package = "${javaPackage}";\n`;
}

const extensions = file.extensions
  .map((extension) => `extend .${extension.extendee.typeName} {\n${printField(extension, 1)}}\n`)
  .join("");
const text = [
  'syntax = "proto2";\n',
  `package ${file.proto.package};\n`,
  file.proto.dependency.map((path) => `import "${path}";\n`).join(""),
  printOptions(file.proto.options),
  extensions,
  ...file.enums.map((desc) => printEnum(desc, 0)),
  ...file.messages.map((desc) => printMessage(desc, 0)),
].join("\n");

mkdirSync("proto/buf/validate", { recursive: true });
writeFileSync("proto/buf/validate/validate.proto", text);
