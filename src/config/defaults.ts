import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import { placeModel } from "../catalog/known-model.ts";
import type { CatalogModel, ModelFamily } from "../catalog/model.ts";
import type { UpstreamConfig } from "./config.ts";
import type { Environment } from "./interpolate.ts";

/** Name of the upstream that is always there, and of the model that it is asked for. */
export const SANDBOX = "sandbox";

/** Returns the names of the sandboxes among upstreams. */
export function sandboxNames(upstreams: Readonly<Record<string, UpstreamConfig>>): ReadonlySet<string> {
  return new Set(Object.keys(upstreams).filter((name) => upstreams[name]?.kind === "sandbox"));
}

/** Upstreams that exist without a configuration once their key is in the environment. */
const PROVIDERS = [
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
] as const;

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

/** Puts the built-in models on the upstreams of their provider's kind, or on the sandbox where there is none. */
export function defaultModels(upstreams: Readonly<Record<string, UpstreamConfig>>): CatalogModel[] {
  const named = Object.entries(upstreams);
  const sandboxes = named.filter(([, { kind }]) => kind === "sandbox").map(([name]) => name);
  // A sandbox of the operator's own goes before the one that is always there.
  const sandbox = sandboxes.find((name) => name !== SANDBOX) ?? SANDBOX;
  return BUILT_IN_MODELS.map((model) => {
    const serving = named.filter(([, { kind }]) => kind === KIND_OF_FAMILY[model.family]);
    const deployments = serving.map(([upstream]) => ({ upstream, model: model.name }));
    return placeModel(model, deployments.length > 0 ? deployments : [{ upstream: sandbox, model: SANDBOX }]);
  });
}
