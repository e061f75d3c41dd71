import type { Message } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { MemberNames } from "../../hub/field-names.ts";
import { hasCacheControl } from "./chat-cache-control.ts";
import { type BlockStep, type HubFieldPath, parseHubPlace, type ToolCase } from "./hub-field-path.ts";
import { memberPath } from "./read.ts";

/** Spells a place in the hub's request, as losses and errors name it, in the caller's format. */
export type FormatFieldPath = (place: string, input: InferenceInput) => string;

/** The words by which a format names the fields of a request. */
interface FieldPathWords {
  /** Fields of the request, also those inside of them: `reasoning.effort`. The longest that fits counts. */
  readonly fields: MemberNames;
  /** Name of the list of messages. */
  readonly messages: string;
  /** Place of a block of the system prompt. */
  system(index: number): string;
  /**
   * Place of a block of a message that stands at `path`; the message is not at hand in a conversation that is
   * continued.
   */
  block(path: string, step: BlockStep, message: Message | undefined): string;
  /** Place of a block inside a tool's result or a document, `outer`, that stands at `path`. */
  inner(path: string, step: BlockStep, outer: BlockStep): string;
  /** Name of the mark for the cache; Chat has another one for marks that stand in an extension. */
  readonly cacheMark: string;
  /** Names of the members of a block. */
  members(step: BlockStep): MemberNames | undefined;
  /** Names of the members of a tool. */
  readonly toolMembers: Partial<Record<ToolCase, MemberNames>>;
}

/**
 * Creates the speller of a format. Places in answers, which begin with `answer.`, are in the upstream's words and stay.
 */
export function createFieldPathFormatter(words: FieldPathWords): FormatFieldPath {
  return (place, input) => {
    if (place.startsWith("answer.")) return place;
    const parsed = parseHubPlace(place, input);
    switch (parsed.in) {
      case "request":
        return formatField(parsed.member, words.fields);
      case "tool":
        return formatMember(`tools[${parsed.index}]`, parsed.member, {
          ...namesOfTool(parsed.kind, words),
          ...(hasCacheControl(input.tools[parsed.index]?.extension) ? CONTROL : {}),
        });
      case "system": {
        const [first, ...others] = parsed.steps;
        const path = formatInner(words.system(first.index), [first, ...others], words);
        return formatMember(path, parsed.member, namesOfBlock(others.at(-1) ?? first, words));
      }
      case "message":
        return formatMessage(parsed, words);
      default:
        return parsed satisfies never;
    }
  };
}

const CONTROL: MemberNames = { cache_mark: "cache_control" };

function formatMessage(parsed: Extract<HubFieldPath, { in: "message" }>, words: FieldPathWords): string {
  const { index, isPrevious, message, steps, member } = parsed;
  const previous = isPrevious ? `${formatField("previous_id", words.fields)}.` : "";
  const path = `${previous}${words.messages}[${index}]`;
  const [first] = steps;
  if (first === undefined) return formatMember(path, member, {});
  const outer = words.block(path, first, message);
  return formatMember(formatInner(outer, steps, words), member, {
    ...namesOfBlock(steps.at(-1) ?? first, words),
    ...(hasCacheControl(message?.extension) ? CONTROL : {}),
  });
}

/** Adds the steps behind the first one, which stands at `path`. */
function formatInner(path: string, [outer, ...steps]: readonly BlockStep[], words: FieldPathWords): string {
  const [step] = steps;
  if (outer === undefined || step === undefined) return path;
  return formatInner(words.inner(path, step, outer), steps, words);
}

function namesOfBlock(step: BlockStep, words: FieldPathWords): MemberNames {
  return {
    cache_mark: words.cacheMark,
    ...words.members(step),
    ...(hasCacheControl(step.block?.extension) ? CONTROL : {}),
  };
}

function namesOfTool(kind: ToolCase | undefined, { cacheMark, toolMembers }: FieldPathWords): MemberNames {
  return { cache_mark: cacheMark, ...(kind === undefined ? {} : toolMembers[kind]) };
}

function formatMember(path: string, member: string, names: MemberNames): string {
  return member === "" ? path : memberPath(path, formatField(member, names));
}

/** The path before `extension`, and the member behind it. Behind a schema the names are its own. */
const EXTENSION = /^(?:((?:(?!_json\.).)*?)\.)?extension\.(.*)$/s;

/** Hub names of fields; no name in the tables has more parts. */
const FIELD = /^[a-z_]+(?:\.[a-z_]+){0,2}/;

/**
 * Spells the longest name that `path` begins with. A member that only the caller's format knows is spelled as it came.
 */
function formatField(path: string, names: MemberNames): string {
  const [isExtension, holder, own = ""] = EXTENSION.exec(path) ?? [];
  if (isExtension !== undefined) return holder === undefined ? own : `${formatField(holder, names)}.${own}`;
  let head = FIELD.exec(path)?.[0] ?? "";
  while (head !== "" && !Object.hasOwn(names, head)) head = head.slice(0, Math.max(0, head.lastIndexOf(".")));
  return head === "" ? path : names[head] + path.slice(head.length);
}
