import { sep } from "node:path";
import type { Config } from "../config/config.ts";

/** How the command line is called here: in a project that has Attune as a package, or in a clone. */
const COMMAND = import.meta.dirname.includes(`${sep}node_modules${sep}`) ? "npx attune" : "npm run -s attune --";

/** What a service tells when it has started. */
export interface BannerFacts {
  readonly config: Config;
  readonly url: string;
  /** Where the data is. */
  readonly location: string;
  /** The API key of the first start; shown this once. */
  readonly newKey: string | undefined;
  /** Secret of the link that makes the first account of the dashboard; undefined if there is an account. */
  readonly setupSecret: string | undefined;
}

/** Returns the lines: address, data, models, and on the first start a key with a call that can be pasted. */
export function bannerLines({ config, url, location, newKey, setupSecret }: BannerFacts): string[] {
  const width = Math.max(...config.models.map(({ name }) => name.length)) + config.prefix.length + 1;
  const models = config.models.map((model) => {
    const places = [...new Set(model.deployments.map(({ upstream }) => upstream))].join(", ");
    return `    ${`${config.prefix}/${model.name}`.padEnd(width)}  ${model.family.padEnd(9)}  by ${places}`;
  });
  return [
    "",
    "  Attune serves",
    "",
    `  address   ${url}`,
    ...(config.dashboard.enabled ? [`  dashboard ${url}/dashboard`] : []),
    `  data      ${location}`,
    `  config    ${config.file ?? "built in; attune.example.yaml shows what can be set"}`,
    "  models",
    ...models,
    ...sandboxLines(config),
    "",
    ...(setupSecret === undefined ? [] : setupLines(`${url}/dashboard/setup#token=${setupSecret}`)),
    ...(newKey === undefined ? keyHint() : firstCall(config, url, newKey)),
    "",
  ];
}

function sandboxLines({ models, upstreams }: Config): string[] {
  const isSandbox = models.every(({ deployments }) =>
    deployments.every(({ upstream }) => upstreams[upstream]?.kind === "sandbox"),
  );
  if (!isSandbox) return [];
  return [
    "",
    "  The sandbox is no model: it answers from the request. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or write",
    "  attune.yaml, for real ones.",
  ];
}

function setupLines(link: string): string[] {
  return ["  Open this link to make the dashboard's first account; it works once, for a day:", "", `    ${link}`, ""];
}

function keyHint(): string[] {
  return [`  A new API key: ${COMMAND} keys create --name NAME`];
}

function firstCall({ models, prefix }: Config, url: string, key: string): string[] {
  const body = `{"model": "${prefix}/${models[0]?.name ?? ""}", "messages": [{"role": "user", "content": "Hello"}]}`;
  return [
    "  API key, shown this once:",
    "",
    `    ${key}`,
    "",
    "  Try it:",
    "",
    `  curl -sS ${url}/v1/chat/completions \\`,
    `    -H "authorization: Bearer ${key}" \\`,
    '    -H "content-type: application/json" \\',
    `    -d '${body}'`,
  ];
}
