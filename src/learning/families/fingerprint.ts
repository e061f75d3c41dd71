import { type ContentBlock, type Message, Role, type Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { withoutBillingLine } from "../../hub/billing-line.ts";
import { hashTexts } from "../../lib/hash.ts";
import { type Feature, hashFeatures, writeHash } from "./similarity-hash.ts";

/**
 * The parts that change from request to request in texts that are otherwise the same: identifiers, addresses, numbers,
 * dates. What is repeated before something else must follow is bounded, so that no text takes more than linear time.
 */
const VOLATILE = new RegExp(
  [
    // Addresses before numbers, which they may hold.
    /https?:\/\/\S+/,
    /\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]+/,
    // UUIDs and other long identifiers: letters and digits mixed, or hexadecimal.
    /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/,
    /\b(?=[a-z_-]{0,40}\d)[a-z\d_-]{12,}\b/,
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/,
    /\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/,
    // Times and numbers of any form.
    /\d[\d:.,/-]*(?:st|nd|rd|th|am|pm|z|utc|gmt)?\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Returns a text in small letters with a sign in the place of all that changes from request to request. */
export function maskVolatile(text: string): string {
  return text.toLowerCase().replace(VOLATILE, "#");
}

/**
 * Characters of the instructions that are looked at: the template is at their beginning, what tells like ones apart
 * often at their end.
 */
const FIRST_CHARACTERS = 3072;
const LAST_CHARACTERS = 1024;

/** Words that make a feature of a text together. */
const WORDS = 2;

/** The weight of a tool, and of a member of the answer's schema, beside two words of the instructions. */
const TOOL_WEIGHT = 3;
const MEMBER_WEIGHT = 3;
/** Tools and members that are looked at. */
const MOST_NAMES = 64;
const MOST_SCHEMA_CHARACTERS = 2 ** 16;

/** The parts of a fingerprint: what requests of one template have in common, before volatile parts are masked. */
export interface Template {
  readonly instructions: string;
  readonly tools: readonly string[];
  /** Names of the members that the answer must have. */
  readonly members: readonly string[];
}

/** Returns the template of a request: what stands before the conversation, its tools, and the form of its answer. */
export function toTemplate({ system, messages, tools, outputFormat }: InferenceInput): Template {
  const leading = messages.findIndex(({ role }) => role !== Role.SYSTEM && role !== Role.DEVELOPER);
  const instructing: readonly Message[] = leading === -1 ? messages : messages.slice(0, leading);
  const blocks = [...withoutBillingLine(system), ...instructing.flatMap(({ content }) => content)];
  return {
    instructions: endsOf(blocks.map(getText)),
    tools: tools.slice(0, MOST_NAMES).map(getName).toSorted(),
    members: outputFormat?.kind.case === "jsonSchema" ? getMembers(outputFormat.kind.value.schemaJson) : [],
  };
}

/**
 * Returns the fingerprint of a template: 16 hexadecimal digits, of which few differ where few of its words and tools
 * do.
 */
export function createFingerprint(template: Template): string {
  return writeHash(hashFeatures(getFeatures(template)));
}

/** Returns an id of a template, which is another one where a word, a tool or a member is. */
export function templateId(template: Template): string {
  const words = Array.from(getFeatures(template), ({ text }) => text);
  return (hashTexts(words) >>> 0).toString(16).padStart(8, "0");
}

function* getFeatures({ instructions, tools, members }: Template): Generator<Feature> {
  const words = maskVolatile(instructions).match(/[\p{L}\p{N}#]+/gu) ?? [];
  for (let at = 0; at < words.length; at++) yield { text: words.slice(at, at + WORDS).join(" "), weight: 1 };
  for (const name of tools) yield { text: `tool ${name}`, weight: TOOL_WEIGHT };
  for (const name of members) yield { text: `member ${name}`, weight: MEMBER_WEIGHT };
}

/** Joins texts, or no more of them than their beginning and their end: they may have megabytes. */
function endsOf(texts: readonly string[]): string {
  const all = texts.reduce((sum, { length }) => sum + length + 1, 0);
  if (all <= FIRST_CHARACTERS + LAST_CHARACTERS) return texts.join("\n");
  let first = "";
  for (let at = 0; at < texts.length && first.length < FIRST_CHARACTERS; at++) {
    first += `${texts[at]?.slice(0, FIRST_CHARACTERS)}\n`;
  }
  let last = "";
  for (let at = texts.length - 1; at >= 0 && last.length < LAST_CHARACTERS; at--) {
    last = `${texts[at]?.slice(-LAST_CHARACTERS)}\n${last}`;
  }
  return `${first.slice(0, FIRST_CHARACTERS)}\n${last.slice(-LAST_CHARACTERS)}`;
}

function getText({ kind }: ContentBlock): string {
  return kind.case === "text" ? kind.value.text : "";
}

function getName({ kind }: Tool): string {
  if (kind.case === "function" || kind.case === "custom") return kind.value.name;
  return kind.case === "opaque" ? kind.value.json.slice(0, 256) : "";
}

/** The names at the top of a schema; of one that is too long to read for this, how it begins. */
function getMembers(schema: string): string[] {
  if (schema.length > MOST_SCHEMA_CHARACTERS) return [schema.slice(0, FIRST_CHARACTERS)];
  try {
    const { properties } = JSON.parse(schema) as { properties?: unknown };
    if (typeof properties !== "object" || properties === null) return [];
    return Object.keys(properties).slice(0, MOST_NAMES).toSorted();
  } catch {
    return [];
  }
}
