import { clone, create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import {
  type Logprobs,
  LogprobsSchema,
  type RawJson,
  RawJsonSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type GenerateResponse,
  GenerateResponseSchema,
  InferenceInputSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { FIELDS } from "../../hub/fields.ts";
import type { HubInput } from "../../hub/input.ts";

/**
 * Texts of answers that say nothing of what was talked about; of requests FIELDS has them. Every other one goes, also
 * one yet to come.
 */
const KEPT: ReadonlySet<string> = new Set([
  "attune.inference.v1.GenerateResponse.id",
  "attune.inference.v1.GenerateResponse.model",
  "attune.inference.v1.Finished.raw_reason",
  "attune.inference.v1.Finished.translation_losses",
  "attune.inference.v1.Serving.upstream",
  "attune.inference.v1.Serving.upstream_model",
  "attune.inference.v1.Serving.upstream_request_id",
  "attune.inference.v1.Serving.optimizations",
  "attune.inference.v1.Serving.translation_losses",
]);

function isKept({ parent, name, localName }: DescField): boolean {
  return KEPT.has(`${parent.typeName}.${name}`) || FIELDS[parent.name]?.[localName]?.survivesRedaction === true;
}

/** Says in a redacted request that it is one: its `echo`, which only answers to its client would read. */
const MARK = '{"attune_redacted":true}';

/** Returns a request without its texts; its form, its sizes and its numbers stay. */
export function redactInput(input: HubInput): HubInput {
  const copy = clone(InferenceInputSchema, input);
  redactMessage(InferenceInputSchema, copy);
  const { dialect, background } = input;
  return { ...copy, dialect, background, echo: create(RawJsonSchema, { dialect, json: MARK }) };
}

/** Returns an answer without its texts. */
export function redactOutput(output: GenerateResponse): GenerateResponse {
  const copy = clone(GenerateResponseSchema, output);
  redactMessage(GenerateResponseSchema, copy);
  return copy;
}

/** Tells whether a request was redacted. */
export function isRedacted({ echo }: HubInput): boolean {
  return echo?.json === MARK;
}

function redactMessage(schema: DescMessage, message: Message): void {
  if (schema.typeName === RawJsonSchema.typeName) {
    redactJson(message as RawJson);
    return;
  }
  if (schema.typeName === LogprobsSchema.typeName) {
    // A placeholder for each token, and for each of the likeliest, would be far longer than the text was.
    (message as Logprobs).tokens = [];
    return;
  }
  const view = reflect(schema, message);
  for (const field of view.sortedFields) if (view.isSet(field)) redactField(view, field);
}

/** Its members are not known: none stays. */
function redactJson(raw: RawJson): void {
  raw.json = JSON.stringify({ redacted_characters: raw.json.length });
}

function redactField(view: ReflectMessage, field: DescField): void {
  if (isKept(field)) return;
  if (field.fieldKind === "message") {
    redactMessage(field.message, view.get(field).message);
  } else if (field.fieldKind === "list") {
    const list = view.get(field);
    for (const [index, value] of [...list].entries()) {
      if (field.listKind === "message") redactMessage(field.message, (value as ReflectMessage).message);
      else if (typeof value === "string") list.set(index, placeholder(value));
    }
  } else if (field.fieldKind === "map") {
    // Keys of the caller's labels are texts of the caller as well.
    view.clear(field);
  } else if (field.fieldKind === "scalar") {
    const value = view.get(field);
    if (typeof value === "string" && value !== "") view.set(field, placeholder(value));
    if (value instanceof Uint8Array) view.set(field, new TextEncoder().encode(`[redacted: ${value.length} bytes]`));
  }
}

function placeholder(text: string): string {
  return text === "" ? "" : `[redacted: ${text.length} ${text.length === 1 ? "character" : "characters"}]`;
}
