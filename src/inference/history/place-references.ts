import { create, equals } from "@bufbuild/protobuf";
import { type Message, MessageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { digestLastInput, findReference, opaqueId, readOwnItemId } from "../../hub/item-references.ts";
import type { IndexedItem, InferenceArchive } from "../ports.ts";
import { answerToMessages } from "./answer-to-messages.ts";
import type { ItemIndex } from "./item-index.ts";

/** An item that a conversation refers to. */
interface ReferredItem {
  readonly message: Message;
  /** The upstream that has it by its id; undefined if none has. */
  readonly holder: string | undefined;
  readonly asked: string | undefined;
}

/** An item whose answer is known. One that was named here has nothing else. */
type KnownItem = Pick<IndexedItem, "inferenceId"> & Partial<IndexedItem>;

/** The items that a conversation refers to and that are in the project's records, by their ids. */
export type ReferredItems = ReadonlyMap<string, ReferredItem>;

/** Most answers that are read for the references of one request, the latest ones: an agent's loop has one a step. */
const MOST_ANSWERS = 1000;

/** Ids of at least so many characters are never given twice. */
const UNIQUE_CHARACTERS = 24;

interface Records {
  readonly projectId: string;
  readonly archive: Pick<InferenceArchive, "readAnswers" | "findItems">;
  readonly items: Pick<ItemIndex, "find"> | undefined;
}

/**
 * Reads the items that a conversation refers to from the project's records; undefined if it refers to none. Throws
 * NOT_FOUND for an item that was made here and is not there.
 */
export async function readReferredItems(
  messages: readonly Message[],
  { projectId, archive, items }: Records,
): Promise<ReferredItems | undefined> {
  const referred = messages.flatMap((message, index) => {
    const id = findReference(message);
    return id === undefined ? [] : [{ id, index, own: readOwnItemId(id) }];
  });
  if (referred.length === 0) return undefined;
  const stored = await findStored(referred, { projectId, archive, items });
  const references = referred.map(({ id, index, own }) => {
    const known: readonly KnownItem[] = own === undefined ? (items?.find(projectId, id) ?? []) : [own];
    return { id, index, own, known: known.length > 0 ? known : getMeant(id, stored.get(id), messages.slice(0, index)) };
  });
  const inferences = new Set(references.flatMap(({ known }) => known.map(({ inferenceId }) => inferenceId)));
  const wanted = [...inferences].slice(-MOST_ANSWERS);
  const answers = await archive.readAnswers?.(wanted, projectId).catch(() => undefined);
  const read = new Map([...(answers ?? [])].map(([id, answer]) => [id, answerToMessages(answer)]));
  const found = new Map<string, ReferredItem>();
  for (const { id, index, own, known } of references) {
    const candidates = known.flatMap((item): ReferredItem[] => {
      const answer = read.get(item.inferenceId);
      const message = own?.position === undefined ? answer?.find((each) => isCalled(each, id)) : answer?.[own.position];
      const holder = item.isStored === true ? item.upstream : undefined;
      return message === undefined ? [] : [{ message, holder, asked: item.asked }];
    });
    const item = chooseItem(candidates, messages.slice(0, index));
    if (item !== undefined) found.set(id, item);
    else if (own !== undefined) throw missing(id, index);
  }
  return found;
}

/** Finds the answers in the project's records that have an item of which this process knows nothing. */
async function findStored(
  references: readonly { readonly id: string; readonly own: unknown }[],
  { projectId, archive, items }: Records,
): Promise<ReadonlyMap<string, readonly IndexedItem[]>> {
  const unknown = references.flatMap(({ id, own }) =>
    own === undefined && (items?.find(projectId, id) ?? []).length === 0 ? [id] : [],
  );
  if (unknown.length === 0) return new Map();
  return (await archive.findItems?.(unknown, projectId).catch(() => undefined)) ?? new Map();
}

/**
 * Returns the answers that may be meant. Some servers count their items from 0: an answer that has one of such a name is meant only if it is to what was said
 * last, since the one that is meant may not be in the records yet.
 */
function getMeant(id: string, stored: readonly IndexedItem[] = [], before: readonly Message[]): readonly IndexedItem[] {
  if (id.length >= UNIQUE_CHARACTERS || stored.length === 0) return stored;
  const asked = digestLastInput(before);
  return stored.filter((item) => item.asked === asked);
}

/**
 * Returns the item that is meant where several answers have one of a name: that of the answer to what was said last.
 * None is chosen where these differ: to take the wrong one would put words of another conversation into this one.
 */
function chooseItem(candidates: readonly ReferredItem[], before: readonly Message[]): ReferredItem | undefined {
  const asked = candidates.length > 1 ? digestLastInput(before) : undefined;
  const fitting = candidates.filter((candidate) => candidate.asked === asked);
  const possible = fitting.length > 0 ? fitting : candidates;
  const [latest, ...others] = possible;
  const isOne = latest && others.every(({ message }) => equals(MessageSchema, message, latest.message));
  // Of alike ones the one that its upstream has can go there as it was sent.
  return isOne === true ? (possible.find(({ holder }) => holder !== undefined) ?? latest) : undefined;
}

function isCalled({ id, content: [block] }: Message, wanted: string): boolean {
  return id === wanted || (block !== undefined && opaqueId(block) === wanted);
}

function missing(id: string, index: number): InferenceError {
  const param = `messages[${index}].id`;
  const problem = `no stored response has the item '${id.slice(0, 128)}': send the item itself`;
  return new InferenceError(ErrorReason.NOT_FOUND, `${param}: ${problem}`, { param });
}

/** Puts items in the place of references to them, for an upstream that does not have them by their ids. */
export function placeReferences(messages: Message[], items: ReferredItems | undefined, upstream: string): Message[] {
  if (items === undefined || items.size === 0) return messages;
  return messages.map((message) => {
    const item = items.get(findReference(message) ?? "");
    if (item === undefined || item.holder === upstream) return message;
    const { content, ...rest } = item.message;
    // Its id says nothing there.
    const placed = create(MessageSchema, { ...rest, id: "", content: [] });
    // Blocks are known by their identity.
    placed.content = content;
    return placed;
  });
}
