import { type ContentBlock, Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { digestLastInput, upstreamItemIds } from "../../hub/item-references.ts";
import type { Principal } from "../../hub/principal.ts";
import type { PlannedAttempt } from "../ports.ts";
import type { IndexedItem } from "./archive.ts";

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

/** Most answers of which an item of one name is known: the latest ones. Some servers count from 0 in each. */
const MOST_ANSWERS = 8;

/**
 * Knows in which answers of this process the items are that upstreams gave names of their own: clients refer to them by
 * these alone. The oldest are forgotten first.
 */
export class ItemIndex {
  readonly #items = new Map<string, readonly IndexedItem[]>();

  /** Takes note of the items of an answer that its upstream has named. */
  note({ id: inferenceId, input, principal, response, winner }: EndedRun): void {
    const upstream = winner?.begun.planned.upstream;
    if (upstream?.dialect !== Dialect.RESPONSES || input.dialect !== Dialect.RESPONSES || input.noTexts) return;
    const isStored = input.store !== false;
    const item = { inferenceId, upstream: upstream.name, isStored, asked: digestLastInput(input.messages) };
    this.add(principal.projectId, response.content, item);
  }

  add(projectId: string, content: readonly ContentBlock[], item: IndexedItem): void {
    for (const id of upstreamItemIds(content)) {
      const key = `${projectId} ${id}`;
      const others = (this.#items.get(key) ?? []).filter(({ inferenceId }) => inferenceId !== item.inferenceId);
      this.#items.delete(key);
      this.#items.set(key, [item, ...others].slice(0, MOST_ANSWERS));
    }
    for (const key of this.#items.keys()) {
      if (this.#items.size <= MOST_ITEMS) return;
      this.#items.delete(key);
    }
  }

  /** Returns the answers that have an item of this name, the latest first. */
  find(projectId: string, id: string): readonly IndexedItem[] {
    return this.#items.get(`${projectId} ${id}`) ?? [];
  }
}
