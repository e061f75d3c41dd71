import type { Config } from "../../config/config.ts";
import { OWN_COMMAND } from "../../lib/own-command.ts";

/** The facts that a service prints when it has started. */
interface BannerFacts {
  readonly config: Config;
  /** Address that it listens on. */
  readonly url: string;
  /** Address of metrics and health; undefined if there is no admin port. */
  readonly adminUrl: string | undefined;
  /** The location of the data. */
  readonly location: string;
  /** The API key of the first start, shown this once; undefined if none is shown. */
  readonly newKey: string | undefined;
  /** True while the dashboard has no account. */
  readonly needsOwner: boolean;
  /** Secret of the link that makes the first account; undefined if none is shown. */
  readonly setupSecret: string | undefined;
}

/** Returns the lines: address, data, models, how to come to an account and a key, and a call that can be pasted. */
export function bannerLines(facts: BannerFacts): string[] {
  const { config, url, adminUrl, location, newKey } = facts;
  const { publicUrl } = config.server;
  const { unserved = [] } = config;
  const address = publicUrl ?? url;
  const named = config.models.filter(({ listed }) => listed !== true);
  const others = config.models.length - named.length;
  const width = Math.max(...[...named, ...unserved].map(({ name }) => name.length)) + config.prefix.length + 1;
  const models = named.map((model) => {
    const places = [...new Set(model.deployments.map(({ upstream }) => upstream))].join(", ");
    return `    ${`${config.prefix}/${model.name}`.padEnd(width)}  ${model.family.padEnd(9)}  by ${places}`;
  });
  return [
    "",
    "  Attune serves",
    "",
    `  address   ${address}`,
    ...(address === url ? [] : [`  listens   ${url}`]),
    ...(config.dashboard.enabled ? [`  dashboard ${address}/dashboard`] : []),
    ...(adminUrl === undefined ? [] : [`  metrics   ${adminUrl}/metrics`]),
    `  data      ${location}`,
    `  config    ${config.file ?? "built in; docs/configuration.md has the ten settings that matter"}`,
    "  models",
    ...models,
    ...(others === 0 ? [] : [`    and ${others} more that public lists know: GET /v1/models has all`]),
    ...unserved.map(({ name }) => `    ${`${config.prefix}/${name}`.padEnd(width)}  not served: see the warnings`),
    ...sandboxLines(config),
    "",
    ...ownerLines(facts, address),
    ...keyLines(newKey),
    "",
    ...callLines(config, address, newKey ?? "$ATTUNE_KEY"),
    "",
  ];
}

function sandboxLines({ models, upstreams }: Config): string[] {
  if (models.length === 0) return [];
  const isSandbox = models.every(({ deployments }) =>
    deployments.every(({ upstream }) => upstreams[upstream]?.kind === "sandbox"),
  );
  if (!isSandbox) return [];
  return [
    "",
    "  The sandbox is not a model: it generates test answers. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or write",
    "  attune.yaml, for real ones.",
  ];
}

function ownerLines({ needsOwner, setupSecret }: BannerFacts, address: string): string[] {
  if (!needsOwner) return [];
  if (setupSecret === undefined) {
    return [
      `  The dashboard has no account yet. To create a link for the first one: ${OWN_COMMAND} users create-owner`,
      "",
    ];
  }
  const link = `${address}/dashboard/setup#token=${setupSecret}`;
  return [
    "  Open this link to create the dashboard's first account. It works once, within a day:",
    "",
    `    ${link}`,
    "",
  ];
}

function keyLines(newKey: string | undefined): string[] {
  if (newKey === undefined) return [`  To create an API key: ${OWN_COMMAND} keys create --name NAME`];
  return ["  API key (shown only once):", "", `    ${newKey}`];
}

function callLines({ models, prefix }: Config, address: string, key: string): string[] {
  if (models.length === 0) return ["  No model is served: the warnings say what is missing."];
  const [first] = models.filter(({ embeddings }) => embeddings !== true);
  const model = `"model": "${prefix}/${(first ?? models[0])?.name ?? ""}"`;
  const [path, body] =
    first === undefined
      ? ["embeddings", `{${model}, "input": "Hello"}`]
      : ["chat/completions", `{${model}, "messages": [{"role": "user", "content": "Hello"}]}`];
  return [
    "  Try it:",
    "",
    `  curl -sS ${address}/v1/${path} \\`,
    `    -H "authorization: Bearer ${key}" \\`,
    '    -H "content-type: application/json" \\',
    `    -d '${body}'`,
    ...(first === undefined
      ? []
      : [
          "",
          "  Then rate the answer, by the id in it:",
          "",
          `  curl -sS ${address}/v1/feedback \\`,
          `    -H "authorization: Bearer ${key}" \\`,
          '    -H "content-type: application/json" \\',
          `    -d '{"id": "ID", "feedback": {"helpful": true}}'`,
        ]),
  ];
}
