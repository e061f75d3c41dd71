import type { DescMessage } from "@bufbuild/protobuf";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { CODEC, type Fate, type Format, LOSS, OWN, SAME } from "../../src/hub/field-row.ts";
import { FIELDS } from "../../src/hub/fields.ts";
import { typesInside } from "../hub/set-fields.ts";

const FORMATS: readonly Format[] = ["chat", "responses", "messages"];

/** Returns as Markdown what becomes of each field of a request in each format: a row a field. */
export function fieldsMarkdown(): string[] {
  const types = [...typesInside(InferenceInputSchema).values()];
  return [`| field | ${FORMATS.join(" | ")} |`, "| --- | --- | --- | --- |", ...types.flatMap(rowsOf)];
}

function rowsOf(schema: DescMessage): string[] {
  return schema.fields.map((field) => {
    const row = FIELDS[schema.name]?.[field.localName];
    const name = schema === InferenceInputSchema ? field.name : `${schema.name}.${field.name}`;
    return `| ${name} | ${FORMATS.map((format) => describe(row?.[format], field.name)).join(" | ")} |`;
  });
}

function describe(fate: Fate | undefined, name: string): string {
  switch (fate) {
    case undefined:
      return "?";
    case LOSS:
      return "loss";
    case CODEC:
      return "otherwise";
    case OWN:
      return "–";
    case SAME:
      return `\`${name}\``;
    default:
      return `\`${typeof fate === "string" ? fate : (fate.member ?? name)}\``;
  }
}
