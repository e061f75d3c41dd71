import { RoleSchema, type Tool } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceContent } from "../../../store/types/inference-body.ts";
import { cut, TextParts, type TextPiece, type TextView } from "./text-parts.ts";
import { type BlockView, viewBlock } from "./view-block.ts";
import { type SettingView, viewSettings } from "./view-settings.ts";

/** A message of the conversation, as it is shown. */
export interface MessageView {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly role: string;
  readonly name: string | undefined;
  readonly blocks: readonly BlockView[];
}

/** A tool that the model could call. */
interface ToolView {
  readonly name: string;
  /** The tool's description and parameters, as the model got them. */
  readonly definition: TextView;
}

/** The answer of a candidate that was not chosen. */
interface CandidateView {
  /** Position of its attempt. */
  readonly attempt: number;
  readonly blocks: readonly BlockView[];
  /** True if it was too long to be kept. */
  readonly isLeftOut: boolean;
}

/** The conversation of a request, as the page shows it. */
export interface ContentView {
  readonly system: readonly BlockView[];
  readonly tools: readonly ToolView[];
  /** The messages from `from` to before `to`. */
  readonly messages: readonly MessageView[];
  readonly messageCount: number;
  readonly answer: readonly BlockView[];
  /** Answers of candidates that were not chosen, in the order of their attempts. */
  readonly notChosen: readonly CandidateView[];
  /** The other settings of the request. */
  readonly settings: readonly SettingView[];
}

/** Messages that are shown: from the first, and before the second. */
export interface MessageRange {
  readonly from: number;
  readonly to: number;
}

/** Turns what was asked and answered into what is shown: beginnings of texts, and where the rest is. */
export function viewContent(content: InferenceContent, range: MessageRange): ContentView {
  return walk(content, range, new TextParts());
}

/** Returns a piece of a text or a file by its number; undefined if there is none of that number. */
export function readPart(
  content: InferenceContent,
  { part, from, length }: { readonly part: number; readonly from: number; readonly length: number },
): TextPiece | undefined {
  const parts = new TextParts(part);
  walk(content, { from: 0, to: 0 }, parts);
  const { found } = parts;
  return found === undefined ? undefined : { text: cut(found, from, length), length: found.length };
}

/** Every text is walked through, so that each has the same number whatever is shown. */
function walk({ input, output }: InferenceContent, { from, to }: MessageRange, parts: TextParts): ContentView {
  const system = input.system.map((block) => viewBlock(block, parts));
  const tools = viewTools(input, parts);
  const messages: MessageView[] = [];
  for (const [index, { role, name, content }] of input.messages.entries()) {
    const blocks = content.map((block) => viewBlock(block, parts));
    if (index < from || index >= to) continue;
    messages.push({ index, role: RoleSchema.value[role]?.localName.toLowerCase() ?? "unknown", name, blocks });
  }
  const answer = [output, ...output.furtherChoices].flatMap(({ content }) =>
    content.map((block) => viewBlock(block, parts)),
  );
  const settings = viewSettings(input, parts);
  const notChosen = output.notChosen.map(({ attempt, content, leftOut }) => ({
    attempt,
    isLeftOut: leftOut,
    blocks: content.map((block) => viewBlock(block, parts)),
  }));
  return { system, tools, messages, messageCount: input.messages.length, answer, notChosen, settings };
}

function viewTools({ tools }: InferenceInput, parts: TextParts): ToolView[] {
  return tools.map((tool) => viewTool(tool, parts));
}

function viewTool({ kind }: Tool, parts: TextParts): ToolView {
  switch (kind.case) {
    case "function": {
      const { name, description = "", parametersJson = "" } = kind.value;
      return { name, definition: parts.view([description, parametersJson].filter(Boolean).join("\n\n")) };
    }
    case "custom": {
      const { name, description = "", formatJson = "" } = kind.value;
      return { name, definition: parts.view([description, formatJson].filter(Boolean).join("\n\n")) };
    }
    case "opaque":
      return { name: opaqueName(kind.value.json), definition: parts.view(kind.value.json) };
    case undefined:
      return { name: "unknown", definition: parts.view("") };
  }
}

function opaqueName(json: string): string {
  return /"type"\s*:\s*"([^"]{1,60})"/.exec(json)?.[1] ?? "tool of one format";
}
