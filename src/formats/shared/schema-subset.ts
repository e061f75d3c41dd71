/** The part of JSON Schema that a target holds a model to. In every one all objects have to be closed. */
export interface SchemaSubset {
  /** Keywords that it takes. */
  readonly keywords: ReadonlySet<string>;
  /** Values of `format` that it takes. */
  readonly formats: ReadonlySet<string>;
  /** Patterns that it refuses. */
  readonly refusedPattern: RegExp;
  /** Greatest `minItems` that it takes. */
  readonly mostMinItems: number;
  /** True if an object has to require all of its properties. */
  readonly requiresAll: boolean;
  /** True if an array has to say what its items are. */
  readonly requiresItems: boolean;
  /** True if the outermost schema has to be an object, and no choice. */
  readonly requiresObject: boolean;
  /** True if a schema may contain itself. */
  readonly takesRecursion: boolean;
}

/** Keywords that both take. */
const KEYWORDS = [
  ...["$defs", "$ref", "additionalProperties", "anyOf", "const", "definitions", "description", "enum", "format"],
  ...["items", "minItems", "pattern", "properties", "required", "title", "type"],
];
const FORMATS = ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];
/** Lookarounds. */
const LOOKAROUND = /\(\?<?[=!]/;

/**
 * Anthropic: structured output and strict tools. "JSON Schema limitations" of
 * platform.claude.com/docs/en/build-with-claude/structured-outputs, and `transformJSONSchema` of @anthropic-ai/sdk
 * 1.11.0. It takes `allOf` too, but objects that are closed one by one contradict each other there.
 */
export const ANTHROPIC_SUBSET: SchemaSubset = {
  keywords: new Set([...KEYWORDS, "default"]),
  formats: new Set([...FORMATS, "uri"]),
  // Back references and word boundaries as well.
  refusedPattern: new RegExp(`${LOOKAROUND.source}|\\\\[1-9bBk]`),
  mostMinItems: 1,
  requiresAll: false,
  requiresItems: false,
  requiresObject: false,
  takesRecursion: false,
};

/**
 * OpenAI: strict mode of response formats and of functions. "Supported schemas" of
 * platform.openai.com/docs/guides/structured-outputs; its helpers in openai 7.55.0 (lib/transform) refuse the same.
 */
export const OPENAI_SUBSET: SchemaSubset = {
  keywords: new Set([
    ...KEYWORDS,
    ...["exclusiveMaximum", "exclusiveMinimum", "maxItems", "maximum", "minimum", "multipleOf"],
  ]),
  formats: new Set(FORMATS),
  refusedPattern: LOOKAROUND,
  mostMinItems: Number.POSITIVE_INFINITY,
  requiresAll: true,
  requiresItems: true,
  requiresObject: true,
  takesRecursion: true,
};
