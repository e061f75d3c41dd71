import { type ContentBlock, Dialect, type Message, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import type { Signer } from "../../lib/signer.ts";
import type { InferenceArchive } from "../ports.ts";
import { openedToolId } from "./tool-ids.ts";

/** Reasoning that stood before calls of a conversation, by the position of the message that it belongs before. */
export type RecalledThinking = ReadonlyMap<number, readonly ContentBlock[]>;

/** Most answers that are read for one request; a longer loop keeps its first and its latest ones. */
const MOST_ANSWERS = 64;

/**
 * Tells whether the calls of an answer are marked, so that its reasoning can be recalled: Chat has no official place in
 * which callers send it back.
 */
export function recallsThinking(
  { dialect }: Pick<HubInput, "dialect">,
  projectId: string,
  archive: InferenceArchive,
): boolean {
  return dialect === Dialect.CHAT && archive.readAnswers !== undefined && archive.keeps?.(projectId) !== false;
}

/**
 * Reads the reasoning of the answers whose calls the present turn goes on from, where the caller did not send it back.
 * Undefined where there is none, or no record of it can be had: the request goes on without.
 */
export async function recallThinking(
  { messages }: Pick<HubInput, "messages">,
  {
    signer,
    projectId,
    archive,
  }: { readonly signer: Signer; readonly projectId: string; readonly archive: InferenceArchive },
): Promise<RecalledThinking | undefined> {
  const places = findCalls(messages, signer);
  if (places.size === 0) return undefined;
  const ids = [...places.keys()];
  const wanted = ids.length > MOST_ANSWERS ? [...ids.slice(0, 1), ...ids.slice(1 - MOST_ANSWERS)] : ids;
  const answers = await archive.readAnswers?.(wanted, projectId).catch(() => undefined);
  const recalled = new Map<number, ContentBlock[]>();
  for (const id of wanted) {
    const blocks = answers?.get(id)?.content.filter(isThinking) ?? [];
    const place = places.get(id);
    if (place !== undefined && blocks.length > 0) recalled.set(place, [...(recalled.get(place) ?? []), ...blocks]);
  }
  return recalled.size === 0 ? undefined : recalled;
}

/** Finds the inferences that called since the user spoke last, and where what their answers said begins. */
function findCalls(messages: readonly Message[], signer: Signer): Map<string, number> {
  const places = new Map<string, number>();
  const spoken = messages.findLastIndex(({ role }) => role === Role.USER);
  let begin = spoken + 1;
  let hasThinking = false;
  for (let index = begin; index < messages.length; index++) {
    const { role, content } = messages[index] ?? { content: [] };
    if (role !== Role.ASSISTANT) {
      begin = index + 1;
      hasThinking = false;
      continue;
    }
    hasThinking ||= content.some(isThinking);
    if (hasThinking) continue;
    for (const block of content) {
      const id = openedToolId(signer, block)?.inferenceId;
      if (id !== undefined && !places.has(id)) places.set(id, begin);
    }
  }
  return places;
}

/** Tells whether a block is reasoning with a state that its maker can read. */
function isThinking({ kind }: ContentBlock): boolean {
  if (kind.case === "redactedThinking") return true;
  return kind.case === "thinking" && kind.value.opaque !== undefined && kind.value.opaque !== "";
}
