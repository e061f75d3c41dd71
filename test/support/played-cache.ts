import { createHash } from "node:crypto";

type Json = Record<string, unknown>;

/** What a request costs, in tokens of the prompt. */
export interface PlayedUse {
  readonly input: number;
  readonly written: number;
  readonly read: number;
}

/** Characters of a token: a little less than Attune takes it for. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Blocks in which a mark looks for an earlier entry, its own the first. */
const LOOKBACK = 20;

/**
 * Plays the prompt cache of the Messages API by its documented rules: exact prefixes in the order of tools, system and
 * messages, four marks at most, entries written at marks alone, each mark looking back over 20 blocks, nothing kept of
 * prefixes under `minTokens`. Time stands still.
 */
export class PlayedCache {
  readonly #minTokens: number;
  readonly #entries = new Set<string>();

  constructor(minTokens: number) {
    this.#minTokens = minTokens;
  }

  use(body: Json): PlayedUse {
    const blocks = [
      ...listOf(body["tools"]),
      ...contentOf(body["system"]),
      ...listOf(body["messages"]).flatMap(blocksOf),
    ];
    const keys: string[] = [];
    const totals: number[] = [];
    const marks: number[] = [];
    for (const [index, { cache_control: mark, ...block }] of blocks.entries()) {
      const text = JSON.stringify(block);
      keys.push(
        createHash("sha256")
          .update(`${keys.at(-1)}\n${text}`)
          .digest("hex"),
      );
      totals.push((totals.at(-1) ?? 0) + Math.ceil(text.length / CHARACTERS_PER_TOKEN));
      if (mark !== undefined) marks.push(index);
    }
    if (marks.length > 4) throw new Error(`a request may have 4 marks, not ${marks.length}`);
    const total = totals.at(-1) ?? 0;
    const counting = marks.filter((index) => (totals[index] ?? 0) >= this.#minTokens);
    const found = counting.map((index) => this.#find(keys, index));
    const readTo = Math.max(-1, ...found);
    const read = totals[readTo] ?? 0;
    const end = Math.max(readTo, ...counting);
    const written = (totals[end] ?? 0) - read;
    for (const index of counting) this.#entries.add(keys[index] ?? "");
    return { read, written, input: total - read - written };
  }

  #find(keys: readonly string[], mark: number): number {
    for (let index = mark; index >= 0 && index > mark - LOOKBACK; index--) {
      if (this.#entries.has(keys[index] ?? "")) return index;
    }
    return -1;
  }
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Each block says whose it is: the same words of another role are another prefix. */
function blocksOf({ role, content }: Json): Json[] {
  return contentOf(content).map((block) => ({ role, ...block }));
}

function contentOf(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
}
