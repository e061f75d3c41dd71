import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import { createCatalog } from "../catalog/catalog.ts";
import type { ListStatement, ModelLists } from "../catalog/lists/model-lists.ts";
import type { CatalogModel } from "../catalog/model.ts";
import { picosToUsdPerMillion } from "../catalog/price.ts";
import { BASE_KINDS } from "../catalog/prices.ts";
import type { Config } from "../config/config.ts";
import { getProviderName } from "../config/provider-name.ts";

/** A value of a fact, and who says it. */
export interface SourcedFact {
  readonly fact: string;
  readonly value: string;
  readonly source: string;
  /** False if somebody who goes before says otherwise. */
  readonly counts: boolean;
}

/**
 * Describes what is known of a model, fact by fact: the value that counts first, then those of lists that disagree.
 * Empty where nothing is known.
 */
export function describeModelFacts(name: string, config: Config, lists: ModelLists): SourcedFact[] {
  const { served, statements, provider } = findStatements(name, config, lists);
  const listed = statements.map(({ source, facts }): Statement => [`${source.name} ${source.version}`, flatten(facts)]);
  const own = served === undefined ? [] : ownStatements(served, config, listed);
  if (own.length === 0 && listed.length === 0) return [];
  return [
    ...(provider === undefined ? [] : [{ fact: "provider", value: provider, source: "", counts: true }]),
    ...joinStatements([...own, ...listed]),
  ];
}

/** A source with its facts, by their names. */
type Statement = readonly [source: string, facts: ReadonlyMap<string, string>];

interface Found {
  readonly served: CatalogModel | undefined;
  readonly statements: readonly ListStatement[];
  readonly provider: string | undefined;
}

function findStatements(name: string, { models, prefix, upstreams }: Config, lists: ModelLists): Found {
  const served = createCatalog(models, prefix).find(name);
  const [place] = served?.deployments ?? [];
  const upstream = place && upstreams[place.upstream];
  const at = upstream === undefined || upstream.kind === "sandbox" ? undefined : getProviderName(upstream);
  const slash = name.indexOf("/");
  const [written, rest] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  const exact = lists.statements(written, rest);
  // A model that is asked for by its provider is not the one of another.
  if (exact.length > 0) return { served: at === written ? served : undefined, statements: exact, provider: written };
  const there = at === undefined || place === undefined ? [] : lists.statements(at, place.model);
  if (there.length > 0) return { served, statements: there, provider: at };
  const made = lists.findMade(served?.name ?? name);
  const statements = made === undefined ? [] : lists.statements(made.provider, made.name);
  return { served, statements, provider: made?.provider };
}

/** The facts that a model is served with; those that a list says too are the list's. */
function ownStatements(served: CatalogModel, { file }: Config, lists: readonly Statement[]): Statement[] {
  const facts = servedFacts(served);
  const builtIn = BUILT_IN_MODELS.find(({ name }) => name === served.name);
  const known = builtIn ? flatten(builtIn) : new Map<string, string>();
  const isStated = ([fact, value]: readonly [string, string]): boolean =>
    known.get(fact) === value || lists.some(([, stated]) => stated.get(fact) === value);
  const builtInFacts = [...facts].filter(([fact, value]) => known.get(fact) === value);
  const others = [...facts].filter((each) => !isStated(each));
  const used = [...facts].filter((each) => isStated(each) && known.get(each[0]) !== each[1]);
  const statements: Statement[] = [
    ["built in", new Map(builtInFacts)],
    [file ?? "default", new Map(others)],
    ["", new Map(used)],
  ];
  return statements.filter(([, { size }]) => size > 0);
}

function servedFacts(served: CatalogModel): ReadonlyMap<string, string> {
  const { optimizations: _o, checks: _c, candidates: _n, listed: _l, ...model } = served;
  const { deployments, price, createdAt, purpose, ...facts } = model;
  const usd = BASE_KINDS.flatMap((kind) => (price ? [[kind, picosToUsdPerMillion(price[kind])]] : []));
  return flatten({
    ...facts,
    purpose: purpose || undefined,
    createdAt: createdAt.getTime() > 0 ? createdAt : undefined,
    price: Object.fromEntries(usd),
    deployments: deployments.map(({ upstream, model: at }) => `${upstream} (${at})`).join(", "),
  });
}

/** Each value of each fact once, with all who say it. */
function joinStatements(statements: readonly Statement[]): SourcedFact[] {
  const facts = new Set(statements.flatMap(([, stated]) => [...stated.keys()]));
  return [...facts].flatMap((fact) => {
    const sources = new Map<string, string[]>();
    for (const [source, stated] of statements) {
      const value = stated.get(fact);
      if (value === undefined) continue;
      sources.set(value, [...(sources.get(value) ?? []), ...(source === "" ? [] : [source])]);
    }
    return [...sources].map(([value, by], at) => ({ fact, value, source: by.join(", "), counts: at === 0 }));
  });
}

/** Members with values, by their paths: `price.longPrompt.input`. */
function flatten(facts: object, path = ""): ReadonlyMap<string, string> {
  const entries = Object.entries(facts).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const fact = path === "" ? name : `${path}.${name}`;
    if (value === undefined) return [];
    if (value instanceof Date) return [[fact, value.toISOString().slice(0, 10)]];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return [...flatten(value, fact)];
    return [[fact, typeof value === "string" ? value : JSON.stringify(value)]];
  });
  return new Map(entries);
}
