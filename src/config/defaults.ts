import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import type { UnservedModel } from "../catalog/catalog.ts";
import { type KnownModel, placeModel } from "../catalog/known-model.ts";
import { listedToKnown, type ModelLists } from "../catalog/lists/model-lists.ts";
import type { CatalogModel, ModelFamily } from "../catalog/model.ts";
import type { UpstreamConfig } from "./config.ts";
import type { Environment } from "./interpolate.ts";
import { getProviderName } from "./provider-name.ts";
import { SANDBOX } from "./upstream-schema.ts";

/** Returns the names of the sandboxes among upstreams. */
export function sandboxNames(upstreams: Readonly<Record<string, UpstreamConfig>>): ReadonlySet<string> {
  return new Set(Object.keys(upstreams).filter((name) => upstreams[name]?.kind === "sandbox"));
}

/** Upstreams that exist without a configuration once their key is in the environment. */
const PROVIDERS: readonly Provider[] = [
  {
    name: "openai",
    kind: "openai-responses",
    keyVariable: "OPENAI_API_KEY",
    urlVariable: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
  },
  {
    name: "anthropic",
    kind: "anthropic-messages",
    keyVariable: "ANTHROPIC_API_KEY",
    urlVariable: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com",
  },
  chatProvider("gemini", "GEMINI", "https://generativelanguage.googleapis.com/v1beta/openai"),
  chatProvider("xai", "XAI", "https://api.x.ai/v1"),
  chatProvider("mistral", "MISTRAL", "https://api.mistral.ai/v1"),
  chatProvider("deepseek", "DEEPSEEK", "https://api.deepseek.com/v1"),
  chatProvider("moonshot", "MOONSHOT", "https://api.moonshot.ai/v1"),
  chatProvider("groq", "GROQ", "https://api.groq.com/openai/v1"),
  chatProvider("zai", "ZAI", "https://api.z.ai/api/paas/v4"),
  chatProvider("minimax", "MINIMAX", "https://api.minimax.io/v1"),
  chatProvider("dashscope", "DASHSCOPE", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"),
];

/** A provider of the Chat format, whose variables begin alike. */
function chatProvider(name: string, variables: string, baseUrl: string): Provider {
  return {
    name,
    kind: "openai-chat",
    keyVariable: `${variables}_API_KEY`,
    urlVariable: `${variables}_BASE_URL`,
    baseUrl,
  };
}

interface Provider {
  readonly name: string;
  readonly kind: UpstreamConfig["kind"];
  readonly keyVariable: string;
  readonly urlVariable: string;
  readonly baseUrl: string;
}

/** A value that the environment gives, and the variable that gives it. */
export interface EnvironmentValue {
  readonly path: readonly string[];
  readonly variable: string;
  readonly value: string;
}

/** Tells whether the environment has the key of a provider, whose upstream needs no configuration. */
export function hasProviderKey(environment: Environment): boolean {
  return PROVIDERS.some(({ keyVariable }) => Boolean(environment[keyVariable]));
}

/** Returns the values of the upstreams that the environment has keys for. */
export function defaultUpstreams(environment: Environment): EnvironmentValue[] {
  return PROVIDERS.filter(({ keyVariable }) => environment[keyVariable]).flatMap((provider) => {
    const { name, kind, keyVariable, urlVariable, baseUrl } = provider;
    const at = (key: string, variable: string, value: string) => ({ path: ["upstreams", name, key], variable, value });
    return [
      at("kind", keyVariable, kind),
      at("baseUrl", urlVariable, environment[urlVariable] || baseUrl),
      at("apiKey", keyVariable, environment[keyVariable] ?? ""),
    ];
  });
}

/** Kind of upstream whose provider runs the built-in models of a family. */
const KIND_OF_FAMILY: Record<ModelFamily, UpstreamConfig["kind"]> = {
  responses: "openai-responses",
  messages: "anthropic-messages",
  chat: "openai-chat",
};

/**
 * Returns the models of a configuration that names none: the built-in ones, and beside them those that the lists have
 * of a provider that is an upstream. `upstreams` are those that are configured.
 */
export function defaultModels(
  upstreams: Readonly<Record<string, UpstreamConfig>>,
  readLists: () => ModelLists,
): DefaultModels {
  const { models, unserved } = builtInModels(upstreams);
  const real = Object.values(upstreams).some(({ kind }) => kind !== "sandbox");
  return { models: [...models, ...(real ? listedModels(upstreams, readLists()) : [])], unserved };
}

/** The models that are served where the configuration names none, and those that are not. */
interface DefaultModels {
  readonly models: CatalogModel[];
  readonly unserved: UnservedModel[];
}

/** Providers whose names for models are each customer's own. */
const OWN_NAMES: ReadonlySet<string> = new Set(["azure", "bedrock", "vertex", "unknown"]);

function listedModels(upstreams: Readonly<Record<string, UpstreamConfig>>, lists: ModelLists): CatalogModel[] {
  const known = new Set(BUILT_IN_MODELS.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const places = new Map<string, string[]>();
  const models = new Map<string, KnownModel>();
  for (const [upstream, config] of Object.entries(upstreams)) {
    if (config.kind === "sandbox") continue;
    const provider = getProviderName({ kind: config.kind, baseUrl: config.baseUrl ?? "" });
    if (OWN_NAMES.has(provider)) continue;
    for (const found of lists.list(provider)) {
      const { name, facts } = found;
      const isMade = facts.embeddings !== true || config.kind !== "anthropic-messages";
      // Another provider's model of the name has prices of its own.
      const isOther = models.has(name) && places.get(name)?.[0] !== provider;
      if (known.has(name) || isOther || !isMade) continue;
      if (!models.has(name)) models.set(name, listedToKnown(found, FAMILY_OF_KIND[config.kind] ?? "chat"));
      places.set(name, [...(places.get(name) ?? [provider]), upstream]);
    }
  }
  return [...models].map(([name, model]) =>
    placeModel(
      model,
      (places.get(name) ?? []).slice(1).map((upstream) => ({ upstream, model: name })),
    ),
  );
}

const FAMILY_OF_KIND: Partial<Record<UpstreamConfig["kind"], ModelFamily>> = {
  "openai-responses": "responses",
  "anthropic-messages": "messages",
};

/** Upstreams that are configured, by name. Looked at before they are checked too. */
type Upstreams = Readonly<Record<string, { readonly kind?: unknown }>>;

/**
 * Puts the built-in models on the upstreams of their provider's kind. The sandbox answers for a provider only where
 * there is none at all, or where the configuration names a sandbox: an answer that is made up must not be taken for a
 * model's. `upstreams` are those that are configured.
 */
export function builtInModels(upstreams: Upstreams): DefaultModels {
  const named = Object.entries(upstreams);
  const sandboxes = named.flatMap(([name, { kind }]) => (kind === "sandbox" ? [name] : []));
  // A sandbox of the operator's own goes before the one that is always there.
  const sandbox = named.length === 0 ? SANDBOX : (sandboxes.find((name) => name !== SANDBOX) ?? sandboxes[0]);
  const placed = BUILT_IN_MODELS.map((model) => {
    const serving = named.filter(([, { kind }]) => kind === KIND_OF_FAMILY[model.family]);
    const deployments = serving.map(([upstream]) => ({ upstream, model: model.name }));
    const made = sandbox === undefined ? [] : [{ upstream: sandbox, model: SANDBOX }];
    return placeModel(model, deployments.length > 0 ? deployments : made);
  });
  const [models, unserved] = [placed.filter(isServed), placed.filter((model) => !isServed(model))];
  return { models, unserved: unserved.map(({ name, family }) => ({ name, reason: getReason(family) })) };
}

function isServed({ deployments }: Pick<CatalogModel, "deployments">): boolean {
  return deployments.length > 0;
}

function getReason(family: ModelFamily): string {
  const kind = KIND_OF_FAMILY[family];
  const provider = PROVIDERS.find((one) => one.kind === kind);
  const key = provider === undefined ? "" : ` (${provider.keyVariable} is enough where the file has no 'upstreams')`;
  return `no upstream of the kind ${kind} is configured: add one under 'upstreams'${key}, or name the model under 'models'`;
}
