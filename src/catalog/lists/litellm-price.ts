import type { TokenKind } from "../prices.ts";
import type { WrittenHours, WrittenPrice, WrittenPriceSet, WrittenStep, WrittenVariant } from "../written-price.ts";

/** An entry of LiteLLM's map of models, or the settings of a model in its configuration. */
export type LitellmEntry = Readonly<Record<string, unknown>>;

/** The price that an entry has; undefined without one for tokens of the prompt. */
export interface LitellmPrice {
  readonly price: WrittenPrice | undefined;
  /** Members that were read. */
  readonly read: readonly string[];
  /** Members with prices that Attune has no counterpart for. */
  readonly left: readonly string[];
}

/** Kinds of tokens by the beginning of a member's name. Source: litellm/types/utils.py, ModelInfoBase. */
const KINDS: Readonly<Record<string, TokenKind>> = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cacheRead",
  cache_creation_input_token_cost: "cacheWrite5m",
  cache_creation_input_token_cost_above_1hr: "cacheWrite1h",
  cache_creation_input_token_cost_above_12hr: "cacheWrite12h",
  output_cost_per_reasoning_token: "reasoning",
  input_cost_per_audio_token: "audioInput",
  cache_read_input_audio_token_cost: "audioCacheRead",
  output_cost_per_audio_token: "audioOutput",
  input_cost_per_image_token: "imageInput",
  output_cost_per_image_token: "imageOutput",
};

/** Writes the prices of tokens as an entry has them; steps at no whole thousand of tokens have no member. */
export function writeLitellmPrice({ longPrompt = [], ...base }: WrittenPrice): LitellmEntry {
  const sets = [{ aboveTokens: 0, ...base }, ...stepsOf(longPrompt)];
  const entries = sets.flatMap(({ aboveTokens, ...prices }) =>
    Object.entries(KINDS).flatMap(([member, kind]) => {
      const usd = prices[kind];
      const above = aboveTokens === 0 ? "" : `_above_${aboveTokens / 1000}k_tokens`;
      return usd === undefined ? [] : [[`${member}${above}`, usd / 1e6] as const];
    }),
  );
  return Object.fromEntries(entries);
}

/** Names that both mean prices, and those that only look so. */
const IS_PRICE = /cost|pric(?:e|ing)|uplift|multiplier/;
const MEMBER = /^(.*?)(?:_above_(\d+)k_tokens)?(?:_(priority|flex|batches|ultrafast))?$/;

/** Prices of tools for a call, by the member that has them. */
const TOOLS: Readonly<Record<string, readonly [tool: string, calls: number]>> = {
  code_interpreter_cost_per_session: ["code_interpreter", 1],
  file_search_cost_per_1k_calls: ["file_search", 1000],
  google_maps_grounding_cost_per_query: ["google_maps", 1],
  citation_cost_per_token: ["citation_token", 1],
};

type Prices = Partial<Record<TokenKind, number>>;

/** Reads all prices of an entry that have a counterpart. */
export function readLitellmPrice(entry: LitellmEntry, { isEmbedding = false } = {}): LitellmPrice {
  const sets = new Map<string, Map<number, Prices>>();
  const read: string[] = [];
  const left: string[] = [];
  for (const [member, value] of Object.entries(entry)) {
    const place = getPlace(member);
    const usd = toNumber(value);
    if (place !== undefined && usd !== undefined) {
      const steps = sets.get(place.tier) ?? new Map<number, Prices>();
      sets.set(place.tier, steps.set(place.above, { ...steps.get(place.above), [place.kind]: perMillion(usd) }));
      read.push(member);
    } else if (IS_PRICE.test(member) && !OTHERS.has(member) && value !== null && value !== 0) left.push(member);
  }
  const more = readVariants(entry, read, left);
  addRanges(sets, entry["tiered_pricing"], read, left);
  const base = toSet(sets.get("")?.get(0) ?? {}, isEmbedding);
  if (base === undefined) return { price: undefined, read: [], left: [...left, ...read] };
  const withSteps = addSteps(base, sets.get(""));
  const tiers = Object.fromEntries(
    [...sets].flatMap(([tier, steps]) => (tier === "" ? [] : tierEntries(tier, steps, withSteps))),
  );
  const hours = readOffPeak(entry["off_peak_pricing"], withSteps, left);
  if (entry["off_peak_pricing"] !== undefined) (hours === undefined ? left : read).push("off_peak_pricing");
  const price = {
    ...withSteps,
    ...(hours && { hours }),
    ...merge("tiers", tiers, more.tiers),
    ...merge("regions", {}, more.regions),
    ...merge("toolCalls", {}, more.toolCalls),
  };
  return { price, read, left };
}

function getPlace(member: string): { kind: TokenKind; above: number; tier: string } | undefined {
  const [, name = "", above, tier = ""] = MEMBER.exec(member) ?? [];
  // The hours of a lifetime stand before or behind the size of the prompt.
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  return kind && { kind, above: Number(above ?? 0) * 1000, tier };
}

/** Members of prices that are read elsewhere, or say the same once more. */
const OTHERS: ReadonlySet<string> = new Set([
  ...[
    "off_peak_pricing",
    "search_context_cost_per_query",
    "provider_specific_entry",
    "tiered_pricing",
    ...Object.keys(TOOLS),
  ],
  ...["regional_processing_uplift_multiplier_us", "regional_processing_uplift_multiplier_eu"],
  ...["input_cost_per_token_cache_hit", "supports_prompt_caching"],
]);

function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** USD per million tokens, without the noise of binary fractions. */
function perMillion(usd: number): number {
  return Math.round(usd * 1e12) / 1e6;
}

/** An answer costs nothing where LiteLLM has no price for it. */
function toSet({ input, output = 0, ...others }: Prices, isEmbedding: boolean): WrittenPriceSet | undefined {
  if (input === undefined) return undefined;
  return { input, output: isEmbedding ? 0 : output, ...others };
}

/** Adds the steps of long prompts: what one does not say costs as before it. */
function addSteps(base: WrittenPriceSet, steps: ReadonlyMap<number, Prices> = new Map()): WrittenPriceSet {
  const { longPrompt: _, ...first } = base;
  let before: WrittenPriceSet = first;
  const built = [...steps.keys()]
    .filter((above) => above > 0)
    .sort((a, b) => a - b)
    .map((aboveTokens): WrittenStep => {
      before = { ...before, ...steps.get(aboveTokens) };
      return { aboveTokens, ...before };
    });
  if (built.length === 0) return base;
  return { ...first, longPrompt: built.length === 1 ? built[0] : built };
}

/** OpenAI calls priority fast too. */
const NAMES: Readonly<Record<string, readonly string[]>> = { priority: ["priority", "fast"], batches: ["batch"] };

/** Prices that a tier does not have are those of the standard one. */
function tierEntries(
  tier: string,
  steps: ReadonlyMap<number, Prices>,
  standard: WrittenPriceSet,
): [string, WrittenVariant][] {
  const { longPrompt = [], ...base } = standard;
  const known = new Map<number, Prices>([[0, base], ...stepsOf(longPrompt).map(toEntry)]);
  const first = { ...base, ...steps.get(0) };
  // A tier may have steps that the standard prices do not have.
  for (const above of steps.keys()) {
    const before = [...known.keys()].filter((at) => at < above).sort((a, b) => b - a)[0] ?? 0;
    if (!known.has(above)) known.set(above, known.get(before) ?? base);
  }
  for (const [above, prices] of known)
    known.set(above, { ...atLeast(prices, above === 0 ? {} : first), ...steps.get(above) });
  const { input = 0, output = 0, ...others } = known.get(0) ?? {};
  const set = addSteps({ input, output, ...others }, known);
  const multiple = getMultiple(set, standard);
  return (NAMES[tier] ?? [tier]).map((name) => [name, multiple === undefined ? set : { multiple }]);
}

/** A step that a tier has no prices for costs no less than its short prompts. */
function atLeast(prices: Prices, least: Prices): Prices {
  const entries = Object.entries(prices) as [TokenKind, number][];
  return Object.fromEntries(entries.map(([kind, usd]) => [kind, Math.max(usd, least[kind] ?? 0)]));
}

function stepsOf(longPrompt: NonNullable<WrittenPriceSet["longPrompt"]>): readonly WrittenStep[] {
  return "aboveTokens" in longPrompt ? [longPrompt] : longPrompt;
}

function toEntry({ aboveTokens, ...prices }: WrittenStep): [number, Prices] {
  return [aboveTokens, prices];
}

/** Returns how many times the standard prices all prices of a tier are; undefined where they are not. */
function getMultiple(set: WrittenPriceSet, standard: WrittenPriceSet): number | undefined {
  const all = ({ longPrompt = [], ...base }: WrittenPriceSet) => [base, ...stepsOf(longPrompt)].flatMap(Object.entries);
  const [own, others] = [all(set), all(standard)];
  const multiple = standard.input === 0 ? 0 : set.input / standard.input;
  const fits = ([name, value]: [string, number], at: number): boolean => {
    const expected = name === "aboveTokens" ? others[at]?.[1] : (others[at]?.[1] ?? 0) * multiple;
    return name === others[at]?.[0] && Math.abs(value - expected) < 1e-9;
  };
  return own.length === others.length && own.every(fits) ? Number(multiple.toFixed(6)) : undefined;
}

interface Variants {
  readonly tiers: Record<string, WrittenVariant>;
  readonly regions: Record<string, number>;
  readonly toolCalls: Record<string, number>;
}

function readVariants(entry: LitellmEntry, read: string[], left: string[]): Variants {
  const found: Variants = { tiers: {}, regions: {}, toolCalls: {} };
  const take = (member: string, usd: number | undefined, add: (usd: number) => void): void => {
    if (usd === undefined) return;
    add(usd);
    read.push(member);
  };
  for (const [name, value] of Object.entries(getObject(entry["provider_specific_entry"]))) {
    const target = name === "fast" ? found.tiers : found.regions;
    if (toNumber(value) === undefined && value !== null) left.push(`provider_specific_entry.${name}`);
    take("provider_specific_entry", toNumber(value), (multiple) => {
      target[name] = name === "fast" ? { multiple } : multiple;
    });
  }
  for (const region of ["us", "eu"]) {
    const member = `regional_processing_uplift_multiplier_${region}`;
    take(member, toNumber(entry[member]), (multiple) => {
      found.regions[region] = multiple;
    });
  }
  const searches = Object.values(getObject(entry["search_context_cost_per_query"])).flatMap(
    (usd) => toNumber(usd) ?? [],
  );
  take("search_context_cost_per_query", searches.length === 0 ? undefined : Math.max(...searches), (usd) => {
    found.toolCalls["web_search"] = usd;
  });
  for (const [member, [tool, calls]] of Object.entries(TOOLS)) {
    take(member, toNumber(entry[member]), (usd) => {
      found.toolCalls[tool] = usd / calls;
    });
  }
  return found;
}

/** Adds the prices of `tiered_pricing`, which are by the size of the prompt. */
function addRanges(sets: Map<string, Map<number, Prices>>, ranges: unknown, read: string[], left: string[]): void {
  if (!Array.isArray(ranges)) return;
  const steps = sets.get("") ?? new Map<number, Prices>();
  for (const range of ranges.map(getObject)) {
    const [from] = Array.isArray(range["range"]) ? range["range"].map(toNumber) : [];
    if (from === undefined) {
      left.push("tiered_pricing");
      return;
    }
    steps.set(from, { ...steps.get(from), ...readNested(range, "tiered_pricing", left) });
  }
  sets.set("", steps);
  read.push("tiered_pricing");
}

/** Reads the prices inside of a member, and notes those that have no counterpart. */
function readNested(members: LitellmEntry, place: string, left: string[]): Prices {
  const prices: Prices = {};
  for (const [member, value] of Object.entries(members)) {
    const [kind, usd] = [Object.hasOwn(KINDS, member) ? KINDS[member] : undefined, toNumber(value)];
    if (kind !== undefined && usd !== undefined) prices[kind] = perMillion(usd);
    else if (IS_PRICE.test(member) && value !== null && value !== 0) left.push(`${place}.${member}`);
  }
  return prices;
}

const RANGE = /^(\d\d:\d\d)-(\d\d:\d\d)$/;

/** Reads prices of hours outside of the peak; undefined where there are none, or in another form. */
function readOffPeak(offPeak: unknown, standard: WrittenPriceSet, left: string[]): readonly WrittenHours[] | undefined {
  const { windows, hours_utc: flat, ...members } = getObject(offPeak);
  const all: readonly LitellmEntry[] = Array.isArray(windows) ? windows.map(getObject) : [{ hours_utc: flat }];
  const read = all.flatMap((window) => readHours(window));
  const ranges = read.filter((range) => range !== undefined);
  if (ranges.length < read.length || members["weekday_timezone"] !== undefined) return undefined;
  const own = readNested(members, "off_peak_pricing", left);
  for (const window of all) readNested(window, "off_peak_pricing.windows", left);
  return Object.keys(own).length === 0 ? undefined : ranges.map((range) => ({ ...range, ...standard, ...own }));
}

/** Reads the hours of a window, in UTC; undefined for what is in another form. */
function readHours({ hours_utc: hours, weekdays }: LitellmEntry) {
  const days = Array.isArray(weekdays) ? weekdays.map(Number) : undefined;
  return [hours].flat().map((range) => {
    const [, from, to] = RANGE.exec(String(range)) ?? [];
    return from === undefined || to === undefined ? undefined : { from, to, ...(days && { days }) };
  });
}

function merge<Name extends string, Value>(
  name: Name,
  own: Readonly<Record<string, Value>>,
  more: Readonly<Record<string, Value>>,
): Partial<Record<Name, Readonly<Record<string, Value>>>> {
  const merged = { ...own, ...more };
  if (Object.keys(merged).length === 0) return {};
  return { [name]: merged } as Partial<Record<Name, typeof merged>>;
}

function getObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
