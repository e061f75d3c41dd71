import { create } from "@bufbuild/protobuf";
import { type Message, MessageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { readOwnItemId, referenceOf } from "../../hub/item-references.ts";
import type { InferenceArchive } from "../ports.ts";
import { answerToMessages } from "./answer-to-messages.ts";
import { type ItemIndex, opaqueId } from "./item-index.ts";

/** An item that a conversation refers to. */
interface ReferredItem {
  readonly message: Message;
  /** The upstream that has it by its id; undefined if none has. */
  readonly holder: string | undefined;
}

/** The items that a conversation refers to and that are in the project's records, by their ids. */
export type ReferredItems = ReadonlyMap<string, ReferredItem>;

/** Most answers that are read for the references of one request: the latest ones. */
const MOST_ANSWERS = 64;

interface Records {
  readonly projectId: string;
  readonly archive: Pick<InferenceArchive, "readAnswers">;
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
  const references = messages.flatMap((message, index) => {
    const id = referenceOf(message);
    if (id === undefined) return [];
    const own = readOwnItemId(id);
    return [{ id, index, own, known: own ?? items?.find(projectId, id) }];
  });
  if (references.length === 0) return undefined;
  const inferences = new Set(references.flatMap(({ known }) => known?.inferenceId ?? []));
  const wanted = [...inferences].slice(-MOST_ANSWERS);
  const answers = await archive.readAnswers?.(wanted, projectId).catch(() => undefined);
  const read = new Map([...(answers ?? [])].map(([id, answer]) => [id, answerToMessages(answer)]));
  const found = new Map<string, ReferredItem>();
  for (const { id, index, own, known } of references) {
    const answer = known && read.get(known.inferenceId);
    const message = own?.position === undefined ? answer?.find((each) => isCalled(each, id)) : answer?.[own.position];
    if (message !== undefined) {
      const holder = known !== undefined && "upstream" in known && known.isStored ? known.upstream : undefined;
      found.set(id, { message, holder });
    } else if (own !== undefined) throw missing(id, index);
  }
  return found;
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
    const item = items.get(referenceOf(message) ?? "");
    if (item === undefined || item.holder === upstream) return message;
    const { content, ...rest } = item.message;
    // Its id says nothing there.
    const placed = create(MessageSchema, { ...rest, id: "", content: [] });
    // Blocks are known by their identity.
    placed.content = content;
    return placed;
  });
}
