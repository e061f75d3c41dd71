import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  Dialect,
  type Message,
  MessageSchema,
  Role,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { readSearchPart } from "../../hub/web-search/read-search.ts";
import { ownSearchPlace } from "../../hub/web-search/search-id.ts";
import type { InferenceArchive } from "../ports.ts";

/** Most answers that are read for one request: the latest ones. */
const MOST_ANSWERS = 64;

type Answers = ReadonlyMap<string, GenerateResponse>;

/** Returns the inferences whose web searches a conversation holds in another format's form than their provider's. */
export function findSearches(messages: readonly Message[]): readonly string[] {
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
export async function recallSearches(
  messages: readonly Message[],
  ids: readonly string[],
  { projectId, archive }: { readonly projectId: string; readonly archive: Pick<InferenceArchive, "readAnswers"> },
): Promise<Message[]> {
  const answers: Answers = (await archive.readAnswers?.(ids, projectId).catch(() => undefined)) ?? new Map();
  return messages.map((message) => {
    const recalled = message.content.map((block) => blocksOf(block, answers));
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
function blocksOf({ kind }: ContentBlock, answers: Answers): ContentBlock[] | undefined {
  const place = kind.case === "opaque" ? ownSearchPlace(kind.value) : undefined;
  if (kind.case !== "opaque" || place === undefined || isResult(kind.value)) return undefined;
  const content = answers.get(place.inferenceId)?.content.slice(place.index) ?? [];
  const id = searchIdOf(content[0]);
  return id === undefined ? undefined : content.filter((block) => searchIdOf(block) === id);
}

/** The second block of a search in Messages. */
function isResult(raw: Parameters<typeof readSearchPart>[0]): boolean {
  const part = readSearchPart(raw);
  return part?.dialect === Dialect.MESSAGES && part.queries === undefined;
}

function searchIdOf(block: ContentBlock | undefined): string | undefined {
  return block?.kind.case === "opaque" ? readSearchPart(block.kind.value)?.id : undefined;
}
