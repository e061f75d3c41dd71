import type { Message } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { MemberNames } from "../../hub/field-names.ts";
import { type BlockStep, type HubPlace, parseHubPlace, type ToolCase } from "./hub-field-path.ts";
import { memberPath } from "./read.ts";

/** Spells a place in the hub's request, as losses and errors name it, in the caller's format. */
export type SpellPlace = (place: string, input: InferenceInput) => string;

/** How a format names the places of a request. */
interface PlaceWords {
  /** Fields of the request, also those inside of them: `reasoning.effort`. The longest that fits counts. */
  readonly fields: MemberNames;
  /** Name of the list of messages. */
  readonly messages: string;
  /** Place of a block of the system prompt. */
  system(index: number): string;
  /** Place of a block of a message that stands at `path`; the message is not at hand in a conversation that is continued. */
  block(path: string, step: BlockStep, message: Message | undefined): string;
  /** Place of a block inside a tool's result or a document, `outer`, that stands at `path`. */
  inner(path: string, step: BlockStep, outer: BlockStep): string;
  /** Name of the mark for the cache. */
  readonly cacheMark: string;
  /** Names of the members of a block. */
  members(step: BlockStep): MemberNames | undefined;
  /** Names of the members of a tool. */
  readonly toolMembers: Partial<Record<ToolCase, MemberNames>>;
}

/** Creates the speller of a format. Places in answers, which begin with `answer.`, are in the upstream's words and stay. */
export function createPlaceSpeller(words: PlaceWords): SpellPlace {
  return (place, input) => {
    if (place.startsWith("answer.")) return place;
    const parsed = parseHubPlace(place, input);
    switch (parsed.in) {
      case "request":
        return spellField(parsed.member, words.fields);
      case "tool":
        return spellMember(`tools[${parsed.index}]`, parsed.member, namesOfTool(parsed.kind, words));
      case "system": {
        const [first, ...others] = parsed.steps;
        const path = spellInner(words.system(first.index), [first, ...others], words);
        return spellMember(path, parsed.member, namesOfBlock(others.at(-1) ?? first, words));
      }
      case "message":
        return spellMessage(parsed, words);
      default:
        return parsed satisfies never;
    }
  };
}

function spellMessage(parsed: Extract<HubPlace, { in: "message" }>, words: PlaceWords): string {
  const { index, isPrevious, message, steps, member } = parsed;
  const previous = isPrevious ? `${spellField("previous_id", words.fields)}.` : "";
  const path = `${previous}${words.messages}[${index}]`;
  const [first] = steps;
  if (first === undefined) return spellMember(path, member, {});
  const outer = words.block(path, first, message);
  return spellMember(spellInner(outer, steps, words), member, namesOfBlock(steps.at(-1) ?? first, words));
}

/** Adds the steps behind the first one, which stands at `path`. */
function spellInner(path: string, [outer, ...steps]: readonly BlockStep[], words: PlaceWords): string {
  const [step] = steps;
  if (outer === undefined || step === undefined) return path;
  return spellInner(words.inner(path, step, outer), steps, words);
}

function namesOfBlock(step: BlockStep, words: PlaceWords): MemberNames {
  return { cache_mark: words.cacheMark, ...words.members(step) };
}

function namesOfTool(kind: ToolCase | undefined, { cacheMark, toolMembers }: PlaceWords): MemberNames {
  return { cache_mark: cacheMark, ...(kind === undefined ? {} : toolMembers[kind]) };
}

function spellMember(path: string, member: string, names: MemberNames): string {
  return member === "" ? path : memberPath(path, spellField(member, names));
}

/** What stands before `extension`, and the member behind it. */
const EXTENSION = /^(?:(.*?)\.)?extension\.(.*)$/s;

/** Hub names of fields; no name in the tables has more parts. */
const FIELD = /^[a-z_]+(?:\.[a-z_]+){0,2}/;

/** Spells the longest name that `path` begins with. A member that only the caller's format knows is spelled as it came. */
function spellField(path: string, names: MemberNames): string {
  const [isExtension, holder, own = ""] = EXTENSION.exec(path) ?? [];
  if (isExtension !== undefined) return holder === undefined ? own : `${spellField(holder, names)}.${own}`;
  let head = FIELD.exec(path)?.[0] ?? "";
  while (head !== "" && !Object.hasOwn(names, head)) head = head.slice(0, Math.max(0, head.lastIndexOf(".")));
  return head === "" ? path : names[head] + path.slice(head.length);
}
