import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import { isUuid } from "../../lib/ids.ts";
import type { Signer } from "../../lib/signer.ts";
import type { Conversations, StoredInference } from "../ports.ts";
import { answerToMessages } from "./answer-to-messages.ts";
import type { ItemIndex } from "./item-index.ts";
import type { ReferredItems } from "./place-references.ts";
import { keepsNoTexts, keepsNothing, MAX_CHAIN, readStored, type StoredPorts } from "./read-stored.ts";
import type { CallMembers } from "./recall-members.ts";
import type { RecalledThinking } from "./recall-thinking.ts";

/** Most messages of a conversation that is continued. */
const MAX_MESSAGES = 100_000;

/** The ports of what requests continue. */
type HistoryPorts = StoredPorts & {
  readonly conversations: Pick<Conversations, "items">;
  /** Knows the items that upstreams have named; absent: nobody does. */
  readonly items?: Pick<ItemIndex, "find"> | undefined;
};

/** A request with the conversation that it continues. */
export interface Prompt {
  /** The input with the messages of the conversation before its own. */
  readonly input: HubInput;
  /** The number of messages before the input's own. */
  readonly historyLength: number;
  /** The inference that is continued, if there is one. */
  readonly previousId: string | undefined;
  /** The first inference of the chain that is continued. */
  readonly firstId?: string | undefined;
  /** True if calls are marked, so that the reasoning before them can be recalled; absent: no. */
  readonly recalls?: boolean;
  /** True if calls with members that only Chat knows are marked, so that these can be recalled; absent: no. */
  readonly recallsMembers?: boolean;
  /** Members which the caller's format could not carry back. */
  readonly members?: CallMembers | undefined;
  /** Reasoning that the caller's format could not carry back. */
  readonly recalled?: RecalledThinking | undefined;
  /** Items that the conversation refers to by their ids. */
  readonly referred?: ReferredItems | undefined;
  /** True if nothing in it is of an earlier answer, so that it goes to each place as it is; absent: no. */
  readonly isPlain?: boolean;
  /** Signs opaque state and marks of tool calls for the project, and tells its own. */
  readonly signer: Signer;
}

/**
 * Puts the conversation that an input continues before it, and for a thread what it was begun with. Throws
 * PREVIOUS_NOT_FOUND if part of it is not stored in the project, THREAD_UNSUPPORTED if nothing is, and INVALID_REQUEST
 * if there is too much of it.
 */
export async function readPrompt(
  input: HubInput,
  projectId: string,
  ports: HistoryPorts,
): Promise<Omit<Prompt, "signer">> {
  if (input.conversationId !== undefined)
    return await readConversation(input, input.conversationId, { projectId, ports });
  if (input.previousId === undefined) {
    if (input.thread) checkThread(keepsNoTexts(input, projectId, ports.archive));
    return { input, historyLength: 0, previousId: undefined };
  }
  const chain = await readStored(input.previousId, { projectId, limit: MAX_CHAIN + 1 }, ports);
  const [latest] = chain;
  const reason = keepsNothing(ports.archive, projectId);
  if (latest === undefined) throw missing(input.previousId, reason);
  const { status = "completed" } = latest;
  if (status !== "completed") throw missing(input.previousId, `it is ${status}`);
  if (chain.length > MAX_CHAIN) {
    throw tooLong(`more than ${MAX_CHAIN} responses follow one another there`);
  }
  const lost = chain.at(-1)?.previousId;
  if (lost !== undefined) throw missing(lost, reason);
  const chainMessages = chain.toReversed().flatMap(getMessages);
  const history = input.thread ? chainMessages.map(withoutMarks) : chainMessages;
  if (history.length > MAX_MESSAGES) throw tooLong(`more than ${MAX_MESSAGES} messages`);
  return {
    input: { ...input, ...(input.thread ? getBeginning(chain) : {}), messages: [...history, ...input.messages] },
    historyLength: history.length,
    previousId: latest.id,
    firstId: chain.at(-1)?.id,
  };
}

async function readConversation(
  input: HubInput,
  id: string,
  { projectId, ports }: { readonly projectId: string; readonly ports: HistoryPorts },
): Promise<Omit<Prompt, "signer">> {
  checkAlone(input);
  const reason = keepsNoTexts(input, projectId, ports.archive);
  if (reason !== undefined) throw InferenceError.invalid(CONVERSATION_FIELD, reason);
  const items = isUuid(id) ? await ports.conversations.items(id.toLowerCase(), projectId) : undefined;
  if (items === undefined) throw noConversation(id);
  const history = items.map(({ message }) => message);
  if (history.length > MAX_MESSAGES) throw tooLong(`more than ${MAX_MESSAGES} messages`);
  return {
    input: { ...input, messages: [...history, ...input.messages] },
    historyLength: history.length,
    previousId: undefined,
  };
}

/** Name of the field that names a conversation. */
const CONVERSATION_FIELD = "conversation_id";

/** A conversation is the whole history: what else names one would contradict it. */
function checkAlone({ previousId, thread, compact }: HubInput): void {
  const others = { previous_id: previousId !== undefined, thread, compact };
  const [other] = Object.entries(others).find(([, isGiven]) => isGiven) ?? [];
  if (other === undefined) return;
  throw InferenceError.invalid(CONVERSATION_FIELD, `cannot be used together with ${other}: leave one of them out`);
}

/** Returns the error for a conversation that is not there for the project. */
export function noConversation(id: string, param?: string): InferenceError {
  const message = `Conversation with id '${id.slice(0, 64)}' not found.`;
  return new InferenceError(ErrorReason.NOT_FOUND, message, { param });
}

/** Returns the beginning of a thread, which later turns do not repeat. The chain has the latest inference first. */
function getBeginning(chain: readonly StoredInference[]): Pick<HubInput, "system" | "tools"> {
  const first = chain.find(({ input, previousId }) => !input.thread || previousId === undefined);
  return { system: first?.input.system ?? [], tools: first?.input.tools ?? [] };
}

function checkThread(reason: string | undefined): void {
  if (reason === undefined) return;
  const message = `${reason}: send the whole conversation, without a thread`;
  throw new InferenceError(ErrorReason.THREAD_UNSUPPORTED, message, { param: "thread" });
}

function getMessages({ input, output }: StoredInference): Message[] {
  return [...input.messages, ...answerToMessages(output)];
}

/** Name of the field that names the inference to continue. */
export const PREVIOUS_FIELD = "previous_id";

function missing(id: string, reason: string | undefined): InferenceError {
  const why = reason === undefined ? "" : `${reason}: `;
  return new InferenceError(
    ErrorReason.PREVIOUS_NOT_FOUND,
    `${PREVIOUS_FIELD}: no stored response has the id '${id.slice(0, 64)}': ${why}leave it out, and send the ` +
      "whole conversation",
    { param: PREVIOUS_FIELD },
  );
}

function tooLong(problem: string): InferenceError {
  return InferenceError.invalid(PREVIOUS_FIELD, `${problem}: begin again with the conversation's essence`);
}

/**
 * Returns a message of a thread's earlier turn without its cache marks: they have done their work, those of all turns
 * together would be more than a request may have, and a mark of a later turn covers all before it. What has none is
 * shared, not copied.
 */
function withoutMarks(message: Message): Message {
  if (!message.content.some(isMarked)) return message;
  const made = create(MessageSchema, { ...message, content: [] });
  made.content = message.content.map((block) => (isMarked(block) ? unmarked(block) : block));
  return made;
}

function isMarked({ cacheMark, kind }: ContentBlock): boolean {
  return cacheMark !== undefined || innerOf(kind).some(isMarked);
}

function unmarked({ cacheMark: _mark, ...block }: ContentBlock): ContentBlock {
  const { kind } = block;
  const content = innerOf(kind).map((inner) => (isMarked(inner) ? unmarked(inner) : inner));
  if (kind.case !== "toolResult") return create(ContentBlockSchema, block);
  return create(ContentBlockSchema, { ...block, kind: { case: "toolResult", value: { ...kind.value, content } } });
}

function innerOf(kind: ContentBlock["kind"]): readonly ContentBlock[] {
  return kind.case === "toolResult" ? kind.value.content : [];
}
