import type { ContentBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { readOwnItemId } from "../../hub/item-references.ts";
import type { Principal } from "../../hub/principal.ts";
import type { PlannedAttempt } from "../ports.ts";

/** The place where an item is that an upstream has named. */
export interface IndexedItem {
  readonly inferenceId: string;
  /** The upstream that made it. */
  readonly upstream: string;
  /** True if that upstream was asked to store it, so that a reference says it there. */
  readonly isStored: boolean;
}

/** An inference that was answered. */
interface EndedRun {
  readonly id: string;
  readonly input: HubInput;
  readonly principal: Pick<Principal, "projectId">;
  readonly response: Pick<GenerateResponse, "content">;
  readonly winner: { readonly begun: { readonly planned: Pick<PlannedAttempt, "upstream"> } } | undefined;
}

/** Most items of which this process knows in which answer they are. */
const MOST_ITEMS = 65_536;

/**
 * Knows in which answers of this process the items are that upstreams gave names of their own: clients refer to them by
 * these alone. Names that several answers have stand for none of them: some servers count from 0 in each. The oldest are
 * forgotten first.
 */
export class ItemIndex {
  readonly #items = new Map<string, IndexedItem | undefined>();

  /** Takes note of the items of an answer that its upstream has named. */
  note({ id: inferenceId, input, principal, response, winner }: EndedRun): void {
    const upstream = winner?.begun.planned.upstream;
    if (upstream?.dialect !== Dialect.RESPONSES || input.dialect !== Dialect.RESPONSES || input.noTexts) return;
    const item = { inferenceId, upstream: upstream.name, isStored: input.store !== false };
    this.add(principal.projectId, response.content, item);
  }

  add(projectId: string, content: readonly ContentBlock[], item: IndexedItem): void {
    for (const block of content) {
      const id = block.itemId === "" ? opaqueId(block) : block.itemId;
      if (id === "" || id.length > 256 || readOwnItemId(id) !== undefined) continue;
      const key = `${projectId} ${id}`;
      const known = this.#items.get(key);
      const isOther = this.#items.has(key) && known?.inferenceId !== item.inferenceId;
      this.#items.delete(key);
      this.#items.set(key, isOther ? undefined : item);
    }
    for (const key of this.#items.keys()) {
      if (this.#items.size <= MOST_ITEMS) return;
      this.#items.delete(key);
    }
  }

  find(projectId: string, id: string): IndexedItem | undefined {
    return this.#items.get(`${projectId} ${id}`);
  }
}

/** The id of an item that only the Responses format knows; "" for anything else. */
export function opaqueId({ kind }: ContentBlock): string {
  if (kind.case !== "opaque" || kind.value.dialect !== Dialect.RESPONSES) return "";
  const item: unknown = JSON.parse(kind.value.json);
  return typeof item === "object" && item !== null && "id" in item && typeof item.id === "string" ? item.id : "";
}
