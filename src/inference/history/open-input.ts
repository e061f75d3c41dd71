import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
  RedactedThinkingBlockSchema,
  Role,
  ThinkingBlockSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import { findReference } from "../../hub/item-references.ts";
import type { Signer } from "../../lib/signer.ts";
import type { Maker, Origin, PlannedAttempt } from "../ports.ts";
import { readSealed, withState as withCompaction } from "./compaction.ts";
import type { Prompt } from "./history.ts";
import { placeReferences } from "./place-references.ts";
import { withMembers } from "./recall-members.ts";
import { openSeal, type StateKind } from "./seal.ts";
import { isMarkedBlock, openToolBlock } from "./tool-ids.ts";

/** A conversation whose seals and marks were opened. */
export interface OpenedInput {
  readonly input: HubInput;
  /** Blocks of reasoning that the origin itself made, as their seals say. */
  readonly own: ReadonlySet<ContentBlock>;
  /** Positions of the messages that hold recalled reasoning, which the caller did not send; none if absent. */
  readonly inserted?: readonly number[];
  /** Places of what the caller sent of that reasoning, which says no more than what was inserted; none if absent. */
  readonly repeated?: readonly string[];
}

const NOTHING: ReadonlySet<ContentBlock> = new Set();

/** A deployment that is asked: only what it made itself can be read there. */
export type TargetDeployment = Pick<PlannedAttempt, "upstream" | "deployment"> & {
  /** True if it has said that it does not know what it made: another account of it did. */
  readonly isAnotherAccount?: boolean;
};

/**
 * Opens the seals of reasoning in the conversation's history for a place. What another origin made would be refused
 * there, and is never turned into text: a block of the same kind whose opaque state is empty takes its place, which
 * every upstream leaves out and names as a loss. What was not sealed here passes on within its own format only. Marks
 * on the ids of tool calls are taken off. Throws INVALID_REQUEST for a seal that was damaged.
 */
export function openInput(
  prompt: Pick<Prompt, "input" | "signer" | "recalled" | "members" | "referred" | "isPlain">,
  place: TargetDeployment,
): OpenedInput {
  const { input, referred } = prompt;
  if (prompt.isPlain === true) return { input, own: NOTHING };
  const messages = placeReferences(input.messages, referred, toOrigin(place).upstream);
  const opened = openMessages(
    messages === input.messages ? prompt : { ...prompt, input: { ...input, messages } },
    place,
  );
  return prompt.recalled === undefined ? opened : insertRecalled(opened, prompt, place);
}

/** Inserts recalled reasoning before the calls that followed it, where the place made it: no other could read it. */
function insertRecalled(
  { input, own }: OpenedInput,
  { recalled, signer }: Pick<Prompt, "signer" | "recalled">,
  place: TargetDeployment,
): OpenedInput {
  const origin = toOrigin(place);
  const made = new Set(own);
  const inserted: number[] = [];
  const repeated: string[] = [];
  const messages: Message[] = [];
  for (const [index, message] of input.messages.entries()) {
    const blocks = recalled?.get(index) ?? [];
    const opened = blocks.map((block) => openBlock(block, "", { origin, signer, mayRead: () => false }));
    const readable = opened.filter(({ isOwn }) => isOwn).map(({ block }) => block);
    if (readable.length > 0) {
      inserted.push(messages.length);
      const thought = create(MessageSchema, { role: Role.ASSISTANT });
      // Blocks are known by their identity.
      thought.content = readable;
      messages.push(thought);
      for (const block of readable) made.add(block);
      for (const [at, block] of message.content.entries())
        if (isUnsealedThinking(block)) repeated.push(`messages[${messages.length}].content[${at}]`);
    }
    messages.push(message);
  }
  return inserted.length === 0 ? { input, own } : { input: { ...input, messages }, own: made, inserted, repeated };
}

function isUnsealedThinking({ kind }: ContentBlock): boolean {
  return kind.case === "thinking" && !kind.value.opaque;
}

function openMessages(
  { input, signer, members }: Pick<Prompt, "input" | "signer" | "members">,
  place: TargetDeployment,
): OpenedInput {
  const complete = (block: ContentBlock, id: string): ContentBlock => withMembers(block, id, { members, place });
  const origin = toOrigin(place);
  const mayRead = (dialect: Dialect): boolean => isOfFormat(dialect || input.dialect, place);
  const own = new Set<ContentBlock>();
  const isToOpen = ({ content }: Message): boolean =>
    content.some((block) => getOpaque(block) !== undefined || isMarkedBlock(signer, block));
  if (!input.messages.some(isToOpen)) return { input, own };
  const messages = input.messages.map((message, position) => {
    if (!isToOpen(message)) return message;
    const path = `messages[${position}].content`;
    const opened = message.content.map((block, at) =>
      openBlock(block, `${path}[${at}]`, { origin, signer, mayRead, complete }),
    );
    for (const { block, isOwn } of opened) if (isOwn) own.add(block);
    const made = create(MessageSchema, { ...message, content: [] });
    // Blocks are known by their identity.
    made.content = opened.map(({ block }) => block);
    return made;
  });
  return { input: { ...input, messages }, own };
}

/** Returns who makes opaque state at a place. No name is empty: nothing was made at another account. */
export function toOrigin({ upstream, deployment, isAnotherAccount = false }: TargetDeployment): Origin {
  return { upstream: isAnotherAccount ? "" : upstream.name, model: deployment.model };
}

/** Tells whether a place is sent state or references that it alone can read. */
export function holdsOwnState(prompt: Parameters<typeof openInput>[0], place: TargetDeployment): boolean {
  const { own, input } = openInput(prompt, place);
  if (own.size > 0) return true;
  return input.messages.some((message) => {
    const id = findReference(message);
    return id !== undefined && prompt.referred?.has(id) === true;
  });
}

/** Returns who made the latest opaque state in a conversation, if it was sealed here. */
export function latestMaker({ input, signer }: Pick<Prompt, "input" | "signer">): Maker | undefined {
  for (const { content } of input.messages.toReversed()) {
    for (const block of content.toReversed()) {
      const blob = getOpaque(block);
      const opened = blob === undefined ? undefined : openSeal(signer, blob);
      if (opened?.kind === "sealed") return opened.maker;
    }
  }
  return undefined;
}

function getOpaque(block: ContentBlock): string | undefined {
  const { kind } = block;
  if (kind.case === "thinking") return kind.value.opaque || undefined;
  if (kind.case === "opaque") return readSealed(block);
  return kind.case === "redactedThinking" ? kind.value.data || undefined : undefined;
}

type BlockInit = MessageInitShape<typeof ContentBlockSchema>;

/** Tells whether a place reads opaque state of a format; one that speaks none takes all. */
function isOfFormat(dialect: Dialect, { upstream }: TargetDeployment): boolean {
  return upstream.dialect === undefined || upstream.dialect === dialect;
}

interface OpenedBlock {
  readonly block: ContentBlock;
  readonly isOwn: boolean;
}

interface Opening {
  readonly origin: Origin;
  readonly signer: Signer;
  /** Tells whether the place reads state of a format that nobody sealed here. */
  readonly mayRead: (dialect: Dialect) => boolean;
  /** Returns a call, of the id that the caller knows, with the members that its upstream gave it. */
  readonly complete?: (block: ContentBlock, id: string) => ContentBlock;
}

function openBlock(block: ContentBlock, path: string, { origin, signer, mayRead, complete }: Opening): OpenedBlock {
  const text = getOpaque(block);
  if (text === undefined) {
    const opened = openToolBlock(signer, block);
    const { kind } = block;
    const isCall = kind.case === "toolUse" && complete !== undefined;
    return { block: isCall ? complete(opened, kind.value.id) : opened, isOwn: false };
  }
  const opened = openSeal(signer, text);
  switch (opened.kind) {
    case "garbled":
      throw changed(path);
    case "foreign":
      // Within its own format it goes on as it is, and its provider judges it.
      return { block: mayRead(getDialect(block)) ? block : unreadable(block), isOwn: false };
    case "sealed": {
      const { upstream, model } = opened.maker;
      const isOwn = upstream === origin.upstream && model === origin.model;
      const isItem = block.kind.case === "opaque";
      if (isItem !== (opened.state === "compaction" || opened.state === "summary")) throw changed(path);
      if (isItem) return { block: withCompaction(block, isOwn ? opened.blob : undefined), isOwn: false };
      if (!isOwn) return { block: unreadable(block), isOwn: false };
      return { block: withState(block, opened), isOwn: true };
    }
    default:
      return opened satisfies never;
  }
}

/** The format that a caller gives for reasoning; opaque items never come here unsealed. */
function getDialect({ kind }: ContentBlock): Dialect {
  return kind.case === "thinking" || kind.case === "redactedThinking" ? kind.value.dialect : Dialect.UNSPECIFIED;
}

function changed(path: string): InferenceError {
  const problem = "the reasoning's signature or encrypted content was changed: send it back as it came";
  return InferenceError.invalid(path, problem);
}

function unreadable({ kind }: ContentBlock): ContentBlock {
  return kind.case === "redactedThinking" ? redacted({}, "") : thinking({}, { opaque: "" });
}

/**
 * The caller's format may have had one form for thinking and for redacted thinking. An empty blob says only whose the
 * thinking is: its maker gave it no sealed form.
 */
function withState(block: ContentBlock, { state, blob }: { state: StateKind; blob: string }): ContentBlock {
  if (block.kind.case !== "thinking" || state === "redacted") return redacted(block, blob);
  const { opaque: _sealed, ...members } = block.kind.value;
  return thinking(block, blob === "" ? members : { ...members, opaque: blob });
}

function thinking(block: BlockInit, init: MessageInitShape<typeof ThinkingBlockSchema>): ContentBlock {
  const value = create(ThinkingBlockSchema, init);
  return create(ContentBlockSchema, { ...block, kind: { case: "thinking", value } });
}

function redacted(block: BlockInit, data: string): ContentBlock {
  const value = create(RedactedThinkingBlockSchema, { data });
  return create(ContentBlockSchema, { ...block, kind: { case: "redactedThinking", value } });
}
