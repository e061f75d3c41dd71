import { findServer, guessServer } from "../catalog/server-facts.ts";
import { QUOTA_FIELDS } from "../quotas/quota-fields.ts";
import type { Config } from "./config.ts";
import { sandboxNames } from "./defaults.ts";

/**
 * Lists what is valid and will not work as its author may think: a key that is missing, a model that nothing serves.
 */
export function listWarnings(config: Config): readonly string[] {
  return [
    ...(config.emptySections ?? []).map((place) => `${place} is left out: the variables that it needs are empty`),
    ...missingKeys(config),
    ...baseUrls(config),
    ...(config.unserved ?? []).map(({ name, reason }) => `model ${config.prefix}/${name} is not served: ${reason}`),
    ...madeUp(config),
    ...unpriced(config),
    ...retired(config),
  ];
}

/** An upstream may need no key, so that a missing one is no mistake. */
function missingKeys({ upstreams }: Config): string[] {
  return Object.entries(upstreams).flatMap(([name, upstream]) => {
    if (upstream.kind === "sandbox" || upstream.missingKey === undefined) return [];
    return [`upstream ${name} has no key: the variable ${upstream.missingKey} is not set`];
  });
}

function baseUrls({ upstreams }: Config): string[] {
  return Object.entries(upstreams).flatMap(([name, upstream]) => {
    if (upstream.kind === "openai-chat" || upstream.kind === "openai-responses") {
      const { below } = findServer(guessServer(upstream.baseUrl));
      if (below === undefined || new URL(upstream.baseUrl).pathname !== "/") return [];
      return [`upstream ${name} has its routes below ${below}: end baseUrl with ${below}`];
    }
    if (upstream.kind !== "anthropic-messages" || upstream.platform !== undefined) return [];
    if (!/\/v1\/?$/.test(upstream.baseUrl)) return [];
    return [
      `upstream ${name} would be called at ${upstream.baseUrl.replace(/\/$/, "")}/v1/messages: leave /v1 out of baseUrl`,
    ];
  });
}

/** The sandbox stands in for all providers where nothing is configured. */
function madeUp({ models, upstreams, prefix }: Config): string[] {
  const isAlone = Object.keys(upstreams).length === 1;
  const sandboxes = sandboxNames(upstreams);
  const made = models.filter(({ deployments }) => deployments.every(({ upstream }) => sandboxes.has(upstream)));
  if (!isAlone || made.length === 0) return [];
  const names = made.map(({ name }) => `${prefix}/${name}`).join(", ");
  return [`no provider is configured: the sandbox generates test answers for ${names}`];
}

/** A list's date may be wrong, or an account may keep a model for longer: such a model is served and has its price. */
function retired({ models, prefix }: Config): string[] {
  const now = new Date();
  return models.flatMap(({ name, listed, retiresAt }) => {
    // Those that lists alone know were not asked for.
    if (listed === true || retiresAt === undefined || retiresAt > now) return [];
    const day = retiresAt.toISOString().slice(0, 10);
    return [`model ${prefix}/${name} was scheduled for retirement by its provider on ${day}`];
  });
}

const OWNERS = ["installation", "eachProject", "eachKey", "eachEndUser"] as const;

/** Most models that are named in a line. */
const MOST_NAMED = 20;

/** Calls without a known price are recorded without a cost, and budgets refuse them. */
function unpriced({ quotas, models }: Config): string[] {
  const isBudget = (owner: (typeof OWNERS)[number]): boolean =>
    Object.values(QUOTA_FIELDS).some(({ rule, unit }) => unit === "usd" && quotas[owner][rule] !== undefined);
  const budgets = OWNERS.filter(isBudget).map((owner) => `quotas.${owner}`);
  const all = models
    // Those that lists alone know were not asked for.
    .filter(({ listed }) => listed !== true || budgets.length > 0)
    .filter(({ price, deployments }) => deployments.some((one) => (one.price ?? price) === undefined))
    .map(({ name }) => name);
  if (all.length === 0) return [];
  const names = all.slice(0, MOST_NAMED).join(", ");
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "";
  if (budgets.length === 0) return [`prices are missing, so no cost is recorded, for ${names}${more}`];
  return [`budgets in USD (${budgets.join(", ")}) refuse calls of models without a price: ${names}${more}`];
}
