import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  Dialect,
  type Message,
  type RawJson,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent, GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import type { Signer } from "../../lib/signer.ts";
import type { InferenceArchive, PlannedAttempt } from "../ports.ts";
import { openedToolId } from "./tool-ids.ts";

/**
 * Members of calls that only the format of their upstream knows, by the ids of the calls as callers have them. Gemini's
 * models refuse a turn whose calls come back without their thought signature, which stands there:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export type CallMembers = ReadonlyMap<string, { readonly upstream: string | undefined; readonly extension: RawJson }>;

/** Most answers that are read for one request: the latest ones. */
const MOST_ANSWERS = 64;

/**
 * Tells whether calls with members that only Chat knows are marked, so that these can be recalled: callers of the other
 * two formats have no place for them.
 */
export function recallsMembers(
  { dialect }: Pick<HubInput, "dialect">,
  projectId: string,
  archive: Pick<InferenceArchive, "readAnswers" | "keeps">,
): boolean {
  const isOther = dialect === Dialect.MESSAGES || dialect === Dialect.RESPONSES;
  return isOther && archive.readAnswers !== undefined && archive.keeps?.(projectId) !== false;
}

/** Tells whether an event begins a call with such members. */
export function beginsWithMembers({ event }: GenerateEvent): boolean {
  const block = event.case === "blockStart" ? event.value.block : undefined;
  return block?.kind.case === "toolUse" && block.extension?.dialect === Dialect.CHAT;
}

/** Returns the inferences that made marked calls of a conversation. */
export function findMarkedCalls(messages: readonly Message[], signer: Signer): readonly string[] {
  const ids = new Set<string>();
  for (const { content } of messages) {
    for (const block of content) {
      const id = block.kind.case === "toolUse" ? openedToolId(signer, block)?.inferenceId : undefined;
      if (id !== undefined) ids.add(id);
    }
  }
  return [...ids].slice(-MOST_ANSWERS);
}

/** Reads the members of marked calls; of one of which no record can be had there are none. */
export async function recallMembers(
  ids: readonly string[],
  { projectId, archive }: { readonly projectId: string; readonly archive: Pick<InferenceArchive, "readAnswers"> },
): Promise<CallMembers> {
  const answers = await archive.readAnswers?.(ids, projectId).catch(() => undefined);
  return new Map([...(answers?.values() ?? [])].flatMap(membersIn));
}

function membersIn({ content, serving }: GenerateResponse) {
  return content.flatMap(({ kind, extension }) => {
    if (kind.case !== "toolUse" || extension?.dialect !== Dialect.CHAT) return [];
    return [[kind.value.id, { upstream: serving?.upstream, extension }] as const];
  });
}

/** Returns a call with its members, where the upstream that gave them is asked; the block itself if there are none. */
export function withMembers(
  block: ContentBlock,
  id: string,
  { members, place }: { readonly members: CallMembers | undefined; readonly place: Pick<PlannedAttempt, "upstream"> },
): ContentBlock {
  const found = members?.get(id);
  if (found === undefined || block.extension !== undefined || place.upstream.dialect !== Dialect.CHAT) return block;
  if (found.upstream !== place.upstream.name) return block;
  return create(ContentBlockSchema, { ...block, extension: found.extension });
}
