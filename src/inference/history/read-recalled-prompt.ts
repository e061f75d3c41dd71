import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  Dialect,
  type Message,
  MessageSchema,
  Role,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import { readSearchPart } from "../../hub/web-search/read-search.ts";
import { ownSearchPlace } from "../../hub/web-search/search-id.ts";
import type { Signer } from "../../lib/signer.ts";
import type { InferenceArchive } from "../ports.ts";
import { openSummaries } from "./compaction.ts";
import { type Prompt, readPrompt } from "./history.ts";
import { readReferredItems } from "./place-references.ts";
import { findMarkedCalls, recallMembers, recallsMembers } from "./recall-members.ts";
import { recallsThinking, recallThinking } from "./recall-thinking.ts";

type HistoryPorts = Parameters<typeof readPrompt>[2];

/** The reader of a prompt. */
interface PromptReader {
  readonly projectId: string;
  /** Knows what Attune has signed for the project. */
  readonly signer: Signer;
}

/** Reads the conversation that an input continues, and what its caller cannot send back of it. */
export async function readRecalledPrompt(
  input: HubInput,
  { projectId, signer }: PromptReader,
  ports: HistoryPorts,
): Promise<Prompt> {
  const { archive, items } = ports;
  const continued = await readPrompt(input, projectId, ports);
  const marks = {
    recallsMembers: recallsMembers(input, projectId, archive),
    recalls: recallsThinking(input, projectId, archive),
  };
  if (!continued.input.messages.some(holdsAnswer)) return { ...continued, ...marks, signer, isPlain: true };
  checkToolResults(continued);
  const searches = findSearches(continued.input.messages);
  const found = searches.length === 0 ? continued : await withSearches(continued, searches, { projectId, archive });
  const referred = await readReferredItems(found.input.messages, { projectId, archive, items });
  const prompt = openSummaries({ ...found, ...marks, signer, ...(referred && { referred }) });
  if (prompt.recalls)
    return { ...prompt, recalled: await recallThinking(prompt.input, { signer, projectId, archive }) };
  const calls = prompt.recallsMembers ? findMarkedCalls(prompt.input.messages, signer) : [];
  return calls.length === 0 ? prompt : { ...prompt, members: await recallMembers(calls, { projectId, archive }) };
}

/** The kinds of blocks that have calls, their results, opaque state or references. */
const OF_ANSWERS = new Set<ContentBlock["kind"]["case"]>([
  "toolUse",
  "toolResult",
  "opaque",
  "thinking",
  "redactedThinking",
]);

/** Tells whether a message may hold something of an earlier answer that is to be opened or found. */
function holdsAnswer({ content }: Message): boolean {
  return content.some(({ kind }) => OF_ANSWERS.has(kind.case));
}

/** Puts the provider's own blocks in the place of web searches that the conversation holds in another form. */
async function withSearches(
  prompt: Omit<Prompt, "signer">,
  searches: readonly string[],
  record: Parameters<typeof recallSearches>[2],
): Promise<Omit<Prompt, "signer">> {
  const { input } = prompt;
  return { ...prompt, input: { ...input, messages: await recallSearches(input.messages, searches, record) } };
}

/** Types of items that stand for others, which may be calls; a reference may also come without a type. */
const STANDS_FOR_OTHERS =
  /"type"\s*:\s*"(?:item_reference|compaction|compaction_summary)"|^(?!.*"type"(?!\s*:\s*null))/s;
/** The ids in the JSON of a call that only its format knows. */
const IDS = /"(?:call_)?id"\s*:\s*"([^"\\]*)"/g;

/**
 * Checks that each result of a tool answers a call before it, in the input itself or in the conversation that it
 * continues. Throws INVALID_REQUEST in the words of the Responses format, which alone continues conversations.
 */
export function checkToolResults({ input, historyLength }: Pick<Prompt, "input" | "historyLength">): void {
  const calls = new CallsSoFar();
  for (const [index, { content }] of input.messages.entries()) {
    for (const [at, { kind }] of content.entries()) {
      if (kind.case === "toolUse") calls.add(kind.value.id);
      if (kind.case === "opaque") calls.addOpaque(kind.value.json);
      if (kind.case !== "toolResult" || index < historyLength) continue;
      // What a client ran of its own accord answers no call.
      if (kind.value.toolUseId === "" || calls.has(kind.value.toolUseId)) continue;
      throw InferenceError.invalid(
        `messages[${index - historyLength}].content[${at}].tool_use_id`,
        `No tool call found for function call output with call_id ${kind.value.toolUseId.slice(0, 128)}.`,
      );
    }
  }
}

/** The calls before a place in a conversation. */
class CallsSoFar {
  readonly #ids = new Set<string>();
  #unread: string[] = [];
  #mayHoldAny = false;

  add(id: string): void {
    this.#ids.add(id);
  }

  /** Adds an item that only its format knows. It is read only where no other call is answered. */
  addOpaque(json: string): void {
    this.#unread.push(json);
  }

  has(id: string): boolean {
    if (this.#ids.has(id) || this.#mayHoldAny) return true;
    for (const json of this.#unread) {
      this.#mayHoldAny ||= STANDS_FOR_OTHERS.test(json);
      for (const [, found = ""] of json.matchAll(IDS)) this.#ids.add(found);
    }
    this.#unread = [];
    return this.#mayHoldAny || this.#ids.has(id);
  }
}

/** Most answers that are read for one request: the latest ones. */
const MOST_ANSWERS = 64;

type Answers = ReadonlyMap<string, GenerateResponse>;

/** Returns the inferences whose web searches a conversation holds in another format's form than their provider's. */
function findSearches(messages: readonly Message[]): readonly string[] {
  const ids = new Set<string>();
  for (const { content } of messages) {
    for (const { kind } of content) {
      const place = kind.case === "opaque" ? ownSearchPlace(kind.value) : undefined;
      if (place !== undefined) ids.add(place.inferenceId);
    }
  }
  return [...ids].slice(-MOST_ANSWERS);
}

/**
 * Puts the blocks of their provider in the place of such searches, since only these have what it found. A search of
 * which no record can be had stays, and no upstream is sent it.
 */
async function recallSearches(
  messages: readonly Message[],
  ids: readonly string[],
  { projectId, archive }: { readonly projectId: string; readonly archive: Pick<InferenceArchive, "readAnswers"> },
): Promise<Message[]> {
  const answers: Answers = (await archive.readAnswers?.(ids, projectId).catch(() => undefined)) ?? new Map();
  return messages.map((message) => {
    const recalled = message.content.map((block) => getBlocks(block, answers));
    if (recalled.every((blocks) => blocks === undefined)) return message;
    // What has no role is an item of Responses; the blocks of Messages stand in a message.
    const isItem = message.role === Role.UNSPECIFIED;
    const found = create(MessageSchema, {
      ...message,
      ...(isItem ? { role: Role.ASSISTANT, id: "" } : {}),
      content: [],
    });
    // Blocks are known by their identity.
    found.content = message.content.flatMap((block, index) => recalled[index] ?? [block]);
    return found;
  });
}

/** Returns the provider's own blocks of the search that a block begins; undefined where there are none. */
function getBlocks({ kind }: ContentBlock, answers: Answers): ContentBlock[] | undefined {
  const place = kind.case === "opaque" ? ownSearchPlace(kind.value) : undefined;
  if (kind.case !== "opaque" || place === undefined || isResult(kind.value)) return undefined;
  const content = answers.get(place.inferenceId)?.content.slice(place.index) ?? [];
  const id = getSearchId(content[0]);
  return id === undefined ? undefined : content.filter((block) => getSearchId(block) === id);
}

/** The second block of a search in Messages. */
function isResult(raw: Parameters<typeof readSearchPart>[0]): boolean {
  const part = readSearchPart(raw);
  return part?.dialect === Dialect.MESSAGES && part.queries === undefined;
}

function getSearchId(block: ContentBlock | undefined): string | undefined {
  return block?.kind.case === "opaque" ? readSearchPart(block.kind.value)?.id : undefined;
}
