import { readLitellmFacts } from "../../catalog/lists/litellm-facts.ts";
import { readLitellmPrice, writeLitellmPrice } from "../../catalog/lists/litellm-price.ts";
import type { ImportNote } from "../import-error.ts";
import { knownFacts, type ModelFacts, mergeFacts } from "../known-facts.ts";
import type { SettingsView } from "../settings-view.ts";

/** Sources of a model's facts: LiteLLM's map, what the file says of the model, and the settings of its calls. */
interface FactSources {
  /** The provider and the name that it is known by. */
  readonly named: Readonly<{ provider: string; name: string }>;
  /** The model as its place calls it. */
  readonly model: string;
  /** Undefined where the map has no such model. */
  readonly mapped: SettingsView | undefined;
  readonly info: SettingsView;
  readonly params: SettingsView;
  readonly isEmbedding: boolean;
  readonly notes: ImportNote[];
}

/**
 * Reads windows, prices and thinking. What the file says goes before the map, as in LiteLLM, and what Attune knows
 * itself before the map too. Prices that have no counterpart are noted.
 */
export function readModelFacts(sources: FactSources): ModelFacts {
  const { named, model, mapped, info, params, isEmbedding, notes } = sources;
  const { facts: known, isBuiltIn } = knownFacts(named.provider, named.name);
  const mappedFacts = mapped === undefined ? {} : factsIn(mapped, model, isEmbedding);
  const base = isBuiltIn ? { ...mappedFacts, ...known } : mergeFacts(known, mappedFacts);
  const own = mergeFacts(base, factsIn(info, model, isEmbedding));
  const price = readOwnPrice(sources, known.price);
  if (mapped !== undefined && !isBuiltIn) noteLeft(mapped, isEmbedding, notes);
  if (price !== undefined) takePrices([info, params], isEmbedding, notes);
  return { ...own, ...(isEmbedding && { maxOutputTokens: 1 }), ...(price && { price }) };
}

/** Prices of the file itself stand over those of the map, or over those that are known, one by one. */
function readOwnPrice(
  { mapped, info, params, isEmbedding }: FactSources,
  known: ModelFacts["price"],
): ModelFacts["price"] {
  const own = { ...members(info), ...members(params) };
  const { read } = readLitellmPrice({ input_cost_per_token: 0, ...own }, { isEmbedding });
  const hasPrice = read.some((member) => Object.hasOwn(own, member));
  if (!hasPrice) return undefined;
  if (mapped !== undefined) return readLitellmPrice({ ...members(mapped), ...own }, { isEmbedding }).price;
  const { price } = readLitellmPrice({ ...(known && writeLitellmPrice(known)), ...own }, { isEmbedding });
  return price && { ...termsOf(known), ...price };
}

/** Returns what a known price has beside tokens. */
function termsOf({ tiers, hours, regions, toolCalls }: Partial<NonNullable<ModelFacts["price"]>> = {}) {
  return {
    ...(tiers && { tiers }),
    ...(hours && { hours }),
    ...(regions && { regions }),
    ...(toolCalls && { toolCalls }),
  };
}

function members(view: SettingsView): Readonly<Record<string, unknown>> {
  return Object.fromEntries(view.entries);
}

const WINDOWS = ["max_input_tokens", "max_output_tokens", "max_tokens", "mode"];

function factsIn(view: SettingsView, model: string, isEmbedding: boolean): ModelFacts {
  const raw = { ...members(view), ...(isEmbedding && { mode: "embedding" }) };
  // Numbers may stand there as texts, and what is none is a mistake of the file.
  for (const member of WINDOWS.slice(0, 3)) view.number(member);
  const { facts } = readLitellmFacts(raw, model);
  const { contextWindow, maxOutputTokens, price } = facts;
  const says = Object.keys(raw).some((member) => member.startsWith("supports_"));
  const thinking = says && facts.thinking !== "adaptive" ? facts.thinking : undefined;
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(thinking !== undefined && { thinking }),
    ...(price !== undefined && { price }),
  };
}

function noteLeft(view: SettingsView, isEmbedding: boolean, notes: ImportNote[]): void {
  noteMembers(view, readLitellmPrice(members(view), { isEmbedding }).left, notes);
}

function noteMembers(view: SettingsView, left: readonly string[], notes: ImportNote[]): void {
  for (const member of left)
    notes.push({ path: view.pathOf(member), text: "has no counterpart: calls are recorded without this price" });
}

/** Ticks off the prices of a file that came into one price, of which each view may have parts alone. */
function takePrices(views: readonly SettingsView[], isEmbedding: boolean, notes: ImportNote[]): void {
  for (const view of views) {
    const { read, left } = readLitellmPrice({ input_cost_per_token: 0, ...members(view) }, { isEmbedding });
    for (const member of read) view.take(member);
    // Whole members that are left are named with all other settings.
    noteMembers(
      view,
      left.filter((member) => member.includes(".")),
      notes,
    );
  }
}
