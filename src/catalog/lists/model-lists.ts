import { readFileSync } from "node:fs";
import type { KnownModel } from "../known-model.ts";
import type { ListedModel, ListSource } from "./build-lists.ts";

/** The file that comes with Attune. */
const SHIPPED = new URL("./models.jsonl", import.meta.url);

/** Providers whose own models have their names, in the order in which they are asked for one. */
const MAKERS = ["openai", "anthropic", "gemini", "xai", "mistral", "deepseek", "moonshot", "glm", "meta", "cohere"];

/** A model of the lists. */
export interface FoundModel {
  readonly provider: string;
  readonly name: string;
  readonly facts: ListedModel;
}

/**
 * The public lists of models: lines in the order of their keys, `provider/name`, of which only those are parsed that
 * are asked for.
 */
export class ModelLists {
  readonly sources: readonly ListSource[];
  readonly #bytes: Buffer;

  /** Throws an Error for what is no file of lists. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const head = this.#lineAt(0);
    if (!head.startsWith("#\t")) throw new Error("it is no list of models: make one with 'attune models update'");
    const { sources } = JSON.parse(head.slice(2)) as { readonly sources: readonly ListSource[] };
    this.sources = sources;
  }

  /** Reads a file, or the one that comes with Attune. */
  static read(file: string | URL = SHIPPED): ModelLists {
    return new ModelLists(readFileSync(file));
  }

  /** Returns what the lists say of a model at a provider. */
  find(provider: string, name: string): ListedModel | undefined {
    const key = `${provider}/${name}`;
    const line = this.#lineAt(this.#firstFrom(`${key}\t`));
    return line.startsWith(`${key}\t`) ? parseLine(line).facts : undefined;
  }

  /** Returns a model by its name alone, at the provider that makes it. */
  findMade(name: string): FoundModel | undefined {
    for (const provider of MAKERS) {
      const facts = this.find(provider, name);
      if (facts !== undefined) return { provider, name, facts };
    }
    return undefined;
  }

  /** Lists the models of a provider, or of all. */
  *list(provider?: string): Generator<FoundModel> {
    const prefix = provider === undefined ? "" : `${provider}/`;
    let at = this.#firstFrom(prefix === "" ? "$" : prefix);
    while (at < this.#bytes.length) {
      const line = this.#lineAt(at);
      if (!line.startsWith(prefix)) return;
      yield parseLine(line);
      at = this.#nextLine(at);
    }
  }

  /** Returns where the first line begins that does not come before a key. */
  #firstFrom(key: string): number {
    const wanted = Buffer.from(key);
    let [low, high] = [this.#nextLine(0), this.#bytes.length];
    while (low < high) {
      const start = this.#startOf((low + high) >>> 1, low);
      const line = this.#bytes.subarray(start, start + wanted.length);
      if (line.compare(wanted) < 0) low = this.#nextLine(start);
      else high = start;
    }
    return low;
  }

  #startOf(at: number, least: number): number {
    return Math.max(least, this.#bytes.lastIndexOf(10, Math.max(0, at - 1)) + 1);
  }

  #nextLine(at: number): number {
    const end = this.#bytes.indexOf(10, at);
    return end === -1 ? this.#bytes.length : end + 1;
  }

  #lineAt(at: number): string {
    const end = this.#bytes.indexOf(10, at);
    return this.#bytes.toString("utf8", at, end === -1 ? this.#bytes.length : end);
  }
}

function parseLine(line: string): FoundModel {
  const tab = line.indexOf("\t");
  const slash = line.indexOf("/");
  const facts = JSON.parse(line.slice(tab + 1)) as ListedModel;
  return { provider: line.slice(0, slash), name: line.slice(slash + 1, tab), facts };
}

/** Stands for a number of tokens that nobody knows. */
export const UNKNOWN_TOKENS = 1_000_000_000;

/** Returns a model of the lists as the catalogue has it. */
export function listedToKnown({ name, facts }: FoundModel, family: KnownModel["family"]): KnownModel {
  const { abilities: _a, retiresAt, disagree: _d, displayName = name, ...known } = facts;
  return {
    name,
    displayName,
    family,
    purpose: "",
    listed: true,
    minCacheableTokens: 0,
    contextWindow: UNKNOWN_TOKENS,
    maxOutputTokens: UNKNOWN_TOKENS,
    createdAt: new Date(0),
    ...known,
    ...(retiresAt !== undefined && { retiresAt: new Date(retiresAt) }),
  };
}
