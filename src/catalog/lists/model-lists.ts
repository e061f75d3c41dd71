import { readFileSync } from "node:fs";
import { listSpellings } from "../canonical-name.ts";
import type { KnownModel } from "../known-model.ts";
import { UNKNOWN_TOKENS } from "../model.ts";
import type { ListedModel, ListSource, OtherFacts } from "./build-lists.ts";
import type { ListedFacts } from "./litellm-facts.ts";

/** The file that comes with Attune. */
const SHIPPED = new URL("./models.jsonl", import.meta.url);

/** Providers whose own models have their names, in the order in which they are asked for one. */
const MAKERS = ["openai", "anthropic", "gemini", "xai", "mistral", "deepseek", "moonshot", "glm", "meta", "cohere"];

/**
 * Variants of a name that choose its provider and nothing else (openrouter.ai/docs/guides/routing/model-variants, read on
 * 2026-12-01: "the model's metadata is the base model's"). `:nitro` may be served, and charged, as a tier of priority,
 * which the answer tells. Others, `:free` and `:thinking` among them, are entries of their own.
 */
const ROUTED = /:(?:nitro|floor|exacto)$/;

/** The facts of a model, joined from all lists. */
export interface KnownFacts extends ListedFacts {
  readonly displayName?: string | undefined;
}

/** A model of the lists. */
export interface FoundModel {
  readonly provider: string;
  readonly name: string;
  readonly facts: KnownFacts;
}

/** The facts that one list has of a model. */
export interface ListStatement {
  readonly source: ListSource;
  readonly facts: KnownFacts;
}

/**
 * The public lists of models: lines in the order of their keys, `provider/name`, of which only those are parsed that
 * are asked for. Older lists may stand behind: their models, and what they alone say of a model, count too.
 */
export class ModelLists {
  readonly #bytes: Buffer;
  readonly #sources: readonly ListSource[];
  readonly #older: ModelLists | undefined;

  /** Throws an Error for what is no file of lists. */
  constructor(bytes: Buffer, older?: ModelLists) {
    this.#bytes = bytes;
    this.#older = older;
    const head = this.#lineAt(0);
    if (!head.startsWith("#\t")) throw new Error("this isn't a list of models: create one with 'attune models update'");
    const { sources } = JSON.parse(head.slice(2)) as { readonly sources: readonly ListSource[] };
    this.#sources = sources;
  }

  /** Reads the lists that come with Attune, and a file beside them; of the two the newer one goes first. */
  static read(file?: string): ModelLists {
    const shipped = readFileSync(SHIPPED);
    if (file === undefined) return new ModelLists(shipped);
    const own = readFileSync(file);
    const isNewer = new ModelLists(own).date >= new ModelLists(shipped).date;
    return isNewer ? new ModelLists(own, new ModelLists(shipped)) : new ModelLists(shipped, new ModelLists(own));
  }

  /** The day on which the newest of the lists was taken. */
  get date(): string {
    return this.#sources[0]?.date ?? "";
  }

  /** Returns what the lists say of a model at a provider, whose variants by routing alone no list has. */
  find(provider: string, name: string): KnownFacts | undefined {
    const key = `${provider}/${name}`;
    const listed = this.#merged(key) ?? (ROUTED.test(key) ? this.#merged(key.replace(ROUTED, "")) : undefined);
    return listed && joinFacts(listed);
  }

  /** Returns a model by its name alone, at the provider that makes it. */
  findMade(name: string): FoundModel | undefined {
    for (const provider of MAKERS) {
      const facts = this.find(provider, name);
      if (facts !== undefined) return { provider, name, facts };
    }
    return undefined;
  }

  /**
   * Returns a model under any spelling of its names: at one of some providers by the first name, or else by any name at
   * the provider that makes it.
   */
  findSpelled(providers: readonly string[], names: readonly [string, ...string[]]): FoundModel | undefined {
    for (const name of listSpellings(names[0])) {
      for (const provider of providers) {
        const facts = this.find(provider, name);
        if (facts !== undefined) return { provider, name, facts };
      }
    }
    for (const name of [...names, ...names.flatMap(listSpellings)]) {
      const made = this.findMade(name);
      if (made !== undefined) return made;
    }
    return undefined;
  }

  /** Returns what each list says of a model by itself, in the order in which they count. */
  statements(provider: string, name: string): readonly ListStatement[] {
    const key = `${provider}/${name}`;
    const { others = {}, ...litellm } = this.#own(key) ?? {};
    const all = this.#merged(key)?.others ?? {};
    const own = this.#sources.flatMap((source, at): ListStatement[] => {
      const other = others[source.name];
      if (at > 0) return other === undefined ? [] : [{ source, facts: toFacts(other) }];
      return Object.keys(litellm).length === 0 ? [] : [{ source, facts: promptAsSuch(litellm, all) }];
    });
    return [...own, ...(this.#older?.statements(provider, name) ?? [])];
  }

  /** Lists the models of a provider, or of all. */
  *list(provider?: string): Generator<FoundModel> {
    const prefix = provider === undefined ? "" : `${provider}/`;
    for (const key of this.#keys(prefix)) {
      const listed = this.#merged(key);
      const slash = key.indexOf("/");
      if (listed !== undefined)
        yield { provider: key.slice(0, slash), name: key.slice(slash + 1), facts: joinFacts(listed) };
    }
  }

  /** The keys with a beginning, in their order, those of older lists among them. */
  *#keys(prefix: string): Generator<string> {
    const older = this.#older === undefined ? undefined : this.#older.#keys(prefix);
    let behind = older?.next();
    for (let at = this.#firstFrom(prefix === "" ? "$" : prefix); at < this.#bytes.length; at = this.#nextLine(at)) {
      const line = this.#lineAt(at);
      if (!line.startsWith(prefix)) break;
      const key = line.slice(0, line.indexOf("\t"));
      for (; behind?.done === false && isBefore(behind.value, key); behind = older?.next()) yield behind.value;
      if (behind?.done === false && behind.value === key) behind = older?.next();
      yield key;
    }
    for (; behind?.done === false; behind = older?.next()) yield behind.value;
  }

  #own(key: string): ListedModel | undefined {
    const line = this.#lineAt(this.#firstFrom(`${key}\t`));
    return line.startsWith(`${key}\t`) ? (JSON.parse(line.slice(key.length + 1)) as ListedModel) : undefined;
  }

  /** A newer LiteLLM has the whole entry; of the lists beside it, those that it comes without are the older ones. */
  #merged(key: string): ListedModel | undefined {
    const own = this.#own(key);
    const older = this.#older === undefined ? undefined : this.#older.#merged(key);
    if (own === undefined || older?.others === undefined) return own ?? older;
    return { ...own, others: { ...older.others, ...own.others } };
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

function isBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}

/** LiteLLM's longest prompt is the window too where no other list has a larger one. */
function joinFacts({ others = {}, ...litellm }: ListedModel): KnownFacts {
  const facts = Object.values(others).map(toFacts);
  return Object.assign({}, ...facts.toReversed(), promptAsSuch(litellm, others));
}

/** Leaves LiteLLM's window out where another list has a larger one: it is the longest prompt then. */
function promptAsSuch(facts: ListedFacts, others: Readonly<Record<string, OtherFacts>>): ListedFacts {
  const { contextWindow: prompt, ...rest } = facts;
  const isLonger = Object.values(others).some(
    ({ contextWindow = 0 }) => prompt !== undefined && contextWindow > prompt,
  );
  return isLonger && prompt !== undefined ? { maxInputTokens: prompt, ...rest } : facts;
}

function toFacts({ contextWindow, name, input, output, cacheRead }: OtherFacts): KnownFacts {
  const price = input === undefined || output === undefined ? undefined : { input, output };
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(name !== undefined && { displayName: name }),
    ...(price && { price: cacheRead === undefined ? price : { ...price, cacheRead } }),
  };
}

/** Returns a model of the lists as the catalog has it. */
export function listedToKnown({ name, facts }: FoundModel, family: KnownModel["family"]): KnownModel {
  const { abilities: _a, retiresAt, displayName = name, ...known } = facts;
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
