import type { DescEnum } from "@bufbuild/protobuf";
import {
  type Annotation,
  CacheTtlSchema,
  type ContentBlock,
  Dialect,
  DialectSchema,
  type InlineData,
  type Message,
  type RawJson,
  ReasoningEffortSchema,
  RoleSchema,
  ThinkingModeSchema,
  type Tool,
  type ToolChoice,
  ToolChoiceModeSchema,
  ToolKindSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import { isObject } from "../../lib/is-object.ts";
import { describeExcess, type JsonLimits, scanJson } from "../../lib/scan-json.ts";

/** JSON text of so few characters cannot go beyond any limit: the least depth that can be configured is 16. */
const SHORT = 16;

/**
 * Creates a check of what a request holds beyond the rules of its proto, whatever way it came: addresses of http and
 * https alone, values of enums that exist, and JSON inside of texts within the limits of a body, because it is parsed
 * on the way to an upstream. Callers of RPC write JSON texts themselves, so that theirs have to be JSON. Throws
 * INVALID_REQUEST.
 */
export function createContentCheck(limits: JsonLimits): (input: HubInput) => void {
  return (input) => new ContentCheck(input, limits).run();
}

class ContentCheck {
  readonly #input: HubInput;
  readonly #limits: JsonLimits;
  /** The formats' decoders have written the JSON of their callers' requests. */
  readonly #isForeign: boolean;
  /** Values in all texts together. */
  readonly #tally = { values: 0, hasLongNumber: false };

  constructor(input: HubInput, limits: JsonLimits) {
    this.#input = input;
    this.#limits = limits;
    this.#isForeign = input.dialect === Dialect.UNSPECIFIED;
  }

  run(): void {
    const { system, messages, tools, toolChoice, reasoning, outputFormat, automaticCacheMark } = this.#input;
    this.#checkBlocks(system, "system");
    for (const [index, message] of messages.entries()) this.#checkMessage(message, `messages[${index}]`);
    for (const [index, tool] of tools.entries()) this.#checkTool(tool, `tools[${index}]`);
    if (toolChoice !== undefined) this.#checkChoice(toolChoice);
    if (reasoning !== undefined) {
      checkEnum(ReasoningEffortSchema, reasoning.effort, "reasoning.effort");
      checkEnum(ThinkingModeSchema, reasoning.mode, "reasoning.mode");
      this.#checkRaw(reasoning.extension, "reasoning.extension");
    }
    if (outputFormat?.kind.case === "jsonSchema") {
      this.#checkJson(outputFormat.kind.value.schemaJson, "output_format.json_schema.schema_json");
    }
    if (automaticCacheMark !== undefined) checkEnum(CacheTtlSchema, automaticCacheMark.ttl, "automatic_cache_mark.ttl");
    this.#checkRaw(this.#input.extension, "extension");
    this.#checkRaw(this.#input.echo, "echo");
  }

  #checkMessage({ role, content, extension }: Message, path: string): void {
    checkEnum(RoleSchema, role, `${path}.role`);
    this.#checkBlocks(content, `${path}.content`);
    this.#checkRaw(extension, `${path}.extension`);
  }

  #checkBlocks(blocks: readonly ContentBlock[], path: string): void {
    for (const [index, block] of blocks.entries()) {
      const place = `${path}[${index}]`;
      this.#checkKind(block, place);
      if (block.cacheMark !== undefined) checkEnum(CacheTtlSchema, block.cacheMark.ttl, `${place}.cache_mark.ttl`);
      this.#checkRaw(block.extension, `${place}.extension`);
      this.#checkRaw(block.itemExtension, `${place}.item_extension`);
      for (const [at, annotation] of (block.annotations?.annotations ?? []).entries())
        this.#checkAnnotation(annotation, `${place}.annotations.annotations[${at}]`);
    }
  }

  #checkAnnotation({ kind }: Annotation, path: string): void {
    if (kind.case === "urlCitation") this.#checkRaw(kind.value.extension, `${path}.extension`);
    else if (kind.case === "opaque") this.#checkRaw(kind.value, path);
    else this.#refuseNothing(path);
  }

  #checkKind({ kind }: ContentBlock, path: string): void {
    if (kind.case === "image") checkSource(kind.value.source, path);
    else if (kind.case === "audio") checkBytes(kind.value, path);
    else if (kind.case === "document") {
      const { source } = kind.value;
      if (source.case === "content") this.#checkBlocks(source.value.blocks, `${path}.content.blocks`);
      else checkSource(source, path);
    } else if (kind.case === "toolUse") {
      checkEnum(ToolKindSchema, kind.value.kind, `${path}.kind`);
      // What a model wrote need not be JSON.
      this.#checkSize(kind.value.arguments, `${path}.arguments`);
    } else if (kind.case === "toolResult") {
      checkEnum(ToolKindSchema, kind.value.kind, `${path}.kind`);
      this.#checkBlocks(kind.value.content, `${path}.content`);
    } else if (kind.case === "opaque") this.#checkRaw(kind.value, path);
    else if (kind.case === undefined) this.#refuseNothing(path);
  }

  #checkTool({ kind, cacheMark, extension }: Tool, path: string): void {
    if (cacheMark !== undefined) checkEnum(CacheTtlSchema, cacheMark.ttl, `${path}.cache_mark.ttl`);
    this.#checkRaw(extension, `${path}.extension`);
    if (kind.case === "opaque") this.#checkRaw(kind.value, path);
    else if (kind.case === "function") this.#checkJson(kind.value.parametersJson, `${path}.parameters_json`);
    else if (kind.case === "custom") this.#checkJson(kind.value.formatJson, `${path}.format_json`);
    else this.#refuseNothing(path);
  }

  /** A kind of a later version would be left out in silence. */
  #refuseNothing(path: string): void {
    if (this.#isForeign) throw InferenceError.invalid(path, "has no kind, or one that this version does not know");
  }

  #checkChoice({ mode, kind, opaque }: ToolChoice): void {
    checkEnum(ToolChoiceModeSchema, mode, "tool_choice.mode");
    checkEnum(ToolKindSchema, kind, "tool_choice.kind");
    // A choice may be one word.
    if (opaque !== undefined) this.#checkJson(opaque.json, "tool_choice.opaque.json");
  }

  #checkRaw(raw: RawJson | undefined, path: string): void {
    if (raw === undefined) return;
    checkEnum(DialectSchema, raw.dialect, `${path}.dialect`);
    this.#checkSize(raw.json, `${path}.json`);
    if (this.#isForeign && !isObject(parse(raw.json)))
      throw InferenceError.invalid(`${path}.json`, "must be a JSON object");
  }

  #checkJson(json: string | undefined, path: string): void {
    if (json === undefined) return;
    this.#checkSize(json, path);
    if (this.#isForeign && parse(json) === undefined) throw InferenceError.invalid(path, "must be JSON");
  }

  #checkSize(json: string, path: string): void {
    const exceeded = json.length <= SHORT ? undefined : scanJson(json, this.#limits, this.#tally);
    if (exceeded === undefined) return;
    throw InferenceError.invalid(path, describeExcess(exceeded, this.#limits));
  }
}

/** Bytes come inside of the request, so that an address is never a data: URL here. */
function checkSource(
  source: { case: "url"; value: string } | { case: "inline"; value: InlineData } | { case: unknown },
  path: string,
): void {
  if (!("value" in source)) return;
  if (source.case === "url" && !/^https?:\/\/./i.test(source.value)) {
    throw InferenceError.invalid(`${path}.url`, "must begin with 'https://' or 'http://'; bytes go into 'inline'");
  }
  if (source.case !== "inline") return;
  checkBytes(source.value, `${path}.inline`);
  if (/[;,\s]/.test(source.value.mediaType)) {
    throw InferenceError.invalid(`${path}.inline.media_type`, "must be a media type alone, such as image/png");
  }
}

/** Bytes come in one form. */
function checkBytes({ base64, data }: Pick<InlineData, "base64" | "data">, path: string): void {
  if (data.length === 0 || base64 === "") return;
  throw InferenceError.invalid(path, "has its bytes both as 'data' and as 'base64': send one of them");
}

function checkEnum(schema: DescEnum, value: number, path: string): void {
  if (schema.value[value] !== undefined) return;
  throw InferenceError.invalid(path, `${value} is not a value of ${schema.name}`);
}

/** Undefined for what is not JSON. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
