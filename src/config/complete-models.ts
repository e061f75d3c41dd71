import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import type { KnownModel } from "../catalog/known-model.ts";
import { type FoundModel, type KnownFacts, listedToKnown, type ModelLists } from "../catalog/lists/model-lists.ts";
import { UNKNOWN_TOKENS } from "../catalog/model.ts";
import { isModelName } from "../catalog/model-name.ts";
import { getProviderName, runsWeights, type ServingUpstream, serverOfProfile } from "./provider-name.ts";

type Written = Readonly<Record<string, unknown>>;

/** A place that serves a model, as it is written. */
interface WrittenDeployment {
  readonly upstream: string;
  readonly model: string;
  readonly price?: unknown;
}

/** A name that is left as it is written, and why. */
export interface NamedModel {
  readonly at: number;
  readonly problem: string;
}

/**
 * Fills in what a file leaves out of models that the built-in catalog or the lists know: `models: [gpt-5.5]` needs an
 * upstream and nothing else. A name that nobody knows is served as it is, without a price. Returns the names that no
 * upstream can be found for.
 */
export function completeModels(file: Record<string, unknown>, readLists: () => ModelLists): NamedModel[] {
  const { models } = file;
  if (!Array.isArray(models)) return [];
  const upstreams = servingUpstreams(file["upstreams"]);
  const problems: NamedModel[] = [];
  file["models"] = models.map((written: unknown, at) => {
    const model = typeof written === "string" ? { name: written } : written;
    if (!isMap(model) || typeof model["name"] !== "string" || !isModelName(model["name"])) return written;
    if (COMPLETED.every((member) => member in model)) return written;
    const completed = completeModel(model["name"], model, { upstreams, lists: readLists() });
    if (!isMap(completed["deployments"]) && !Array.isArray(completed["deployments"])) {
      problems.push({ at, problem: explainMissing(model["name"], upstreams) });
    }
    return completed;
  });
  return problems;
}

/** Members that are filled in where a file leaves them out. */
const COMPLETED = ["family", "contextWindow", "maxOutputTokens", "deployments"];

interface Sources {
  readonly upstreams: readonly ServingUpstream[];
  readonly lists: ModelLists;
}

function completeModel(name: string, written: Written, { upstreams, lists }: Sources): Written {
  const own = BUILT_IN_MODELS.find((model) => model.name === name || model.aliases?.includes(name) === true);
  const serving = findServing(name, upstreams, lists, own);
  const deployments = getPlaces(written["deployments"]) ?? serving.map(({ upstream }) => ({ upstream, model: name }));
  const [first] = deployments;
  const upstreamModel = first?.model ?? name;
  const at = upstreams.find(({ name: upstream }) => upstream === first?.upstream);
  const found = findListed([upstreamModel, name], at, lists);
  const known = own ?? (found && listedToKnown({ ...found, name }, getFamily(at?.kind)));
  if (known === undefined)
    return isNameAlone(written) && first !== undefined
      ? { ...unknownModel(name, at, deployments), ...written }
      : written;
  const { createdAt, retiresAt, listed: _, price, contextWindow, maxOutputTokens, ...facts } = known;
  return {
    ...facts,
    ...fitLimits({ contextWindow, maxOutputTokens }, written),
    ...(createdAt.getTime() > 0 && { createdAt: createdAt.toISOString() }),
    ...(retiresAt && { retiresAt: retiresAt.toISOString() }),
    ...(price && { price }),
    family: own?.family ?? getFamily(at?.kind),
    ...written,
    ...(deployments.length > 0 && { deployments: written["deployments"] ?? withPrices(name, serving, lists, price) }),
  };
}

/** Leaves out limits that nobody knows; an answer is no longer than the window, which the file may make smaller. */
function fitLimits(known: Pick<KnownModel, "contextWindow" | "maxOutputTokens">, written: Written): Written {
  const window = typeof written["contextWindow"] === "number" ? written["contextWindow"] : known.contextWindow;
  const most = Math.min(known.maxOutputTokens, window);
  return {
    ...(known.contextWindow !== UNKNOWN_TOKENS && { contextWindow: known.contextWindow }),
    ...(known.maxOutputTokens !== UNKNOWN_TOKENS && { maxOutputTokens: most }),
  };
}

/** Providers that have models under the names of their repositories, as servers of weights do. */
const HOSTS = ["groq", "together", "deepinfra", "fireworks", "openrouter"];

/** A server of weights has the model's window, and neither its maker's price nor its date of retirement. */
function findListed(
  names: readonly [string, string],
  at: ServingUpstream | undefined,
  lists: ModelLists,
): FoundModel | undefined {
  const isRun = at !== undefined && runsWeights(at);
  const providers = at === undefined ? [] : isRun ? HOSTS : [getProviderName(at)];
  const found = lists.findSpelled(providers, names);
  return found && isRun ? { ...found, facts: withoutPrice(found.facts) } : found;
}

function withoutPrice({ price: _p, retiresAt: _r, minCacheableTokens: _m, ...facts }: KnownFacts): KnownFacts {
  return facts;
}

function getPlaces(deployments: unknown): readonly WrittenDeployment[] | undefined {
  if (!Array.isArray(deployments)) return undefined;
  return deployments.filter(
    (place): place is WrittenDeployment =>
      isMap(place) && typeof place["upstream"] === "string" && typeof place["model"] === "string",
  );
}

/** Members that say nothing of windows: with these alone a model is served without any. */
const NAMING: ReadonlySet<string> = new Set(["name", "deployments", "aliases", "family", "thinking"]);

function isNameAlone(written: Written): boolean {
  return Object.keys(written).every((member) => NAMING.has(member));
}

function unknownModel(
  name: string,
  at: ServingUpstream | undefined,
  deployments: readonly WrittenDeployment[],
): Written {
  return { name, family: getFamily(at?.kind), deployments };
}

/** A provider that has a price of its own for a model is told apart. */
function withPrices(
  name: string,
  serving: readonly FoundUpstream[],
  lists: ModelLists,
  price: unknown,
): WrittenDeployment[] {
  return serving.map(({ upstream, provider }) => {
    const own = lists.find(provider, name)?.price;
    const differs = own !== undefined && price !== undefined && JSON.stringify(own) !== JSON.stringify(price);
    return { upstream, model: name, ...(differs && provider !== serving[0]?.provider && { price: own }) };
  });
}

interface FoundUpstream {
  readonly upstream: string;
  readonly provider: string;
}

/**
 * Upstreams of a provider that lists the name; else those of the kind of its maker; else the only one that there is.
 */
function findServing(
  name: string,
  upstreams: readonly ServingUpstream[],
  lists: ModelLists,
  own: KnownModel | undefined,
): readonly FoundUpstream[] {
  const known = upstreams.map((upstream) => ({
    upstream: upstream.name,
    provider: getProviderName(upstream),
    kind: upstream.kind,
  }));
  const listing = known.filter(({ provider }) => lists.find(provider, name) !== undefined);
  if (listing.length > 0) return listing;
  const kind = own && KIND_OF_FAMILY[own.family];
  const sameKind = known.filter((upstream) => upstream.kind === kind);
  if (sameKind.length > 0) return sameKind;
  return known.length === 1 ? known : [];
}

const KIND_OF_FAMILY: Record<KnownModel["family"], string> = {
  responses: "openai-responses",
  messages: "anthropic-messages",
  chat: "openai-chat",
};

function getFamily(kind: string | undefined): KnownModel["family"] {
  if (kind === "anthropic-messages" || kind === "bedrock-converse") return "messages";
  return kind === "openai-responses" ? "responses" : "chat";
}

function explainMissing(name: string, upstreams: readonly ServingUpstream[]): string {
  if (upstreams.length === 0) return `'${name}' needs an upstream that serves it: add one to 'upstreams'`;
  const names = upstreams.map((upstream) => upstream.name).join(", ");
  return `no list says which of ${names} serves '${name}': write it as { name: ${name}, deployments: [{ upstream: ${upstreams[0]?.name}, model: ${name} }] }`;
}

function servingUpstreams(written: unknown): ServingUpstream[] {
  if (!isMap(written)) return [];
  return Object.entries(written).flatMap(([name, upstream]) => {
    if (!isMap(upstream) || typeof upstream["kind"] !== "string" || upstream["kind"] === "sandbox") return [];
    const { kind, baseUrl, profile } = upstream;
    const server = serverOfProfile(profile);
    return [{ name, kind, baseUrl: typeof baseUrl === "string" ? baseUrl : "", server }];
  });
}

function isMap(value: unknown): value is Written {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
