import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import { checkJudges } from "./check-judges.ts";
import { SANDBOX } from "./defaults.ts";
import { findTlsMistake } from "./find-tls-mistake.ts";
import type { Path } from "./mistake.ts";
import { member, toList } from "./raw-values.ts";
import { EMBEDDING_KINDS, HTTP_KINDS } from "./upstream-schema.ts";

/** Something that is wrong only together with something else. */
interface CrossMistake {
  readonly path: Path;
  readonly message: string;
  /** The key is wrong, and not its value. */
  readonly at?: "key";
}

/**
 * Finds what the schema cannot: it looks at the values as they are written, so that it also works where others are
 * wrong.
 */
export function crossCheck(value: unknown): CrossMistake[] {
  const models = toList(member(value, "models"));
  const upstreams = member(value, "upstreams") ?? {};
  return [
    ...checkBodyLimit(member(value, "server")),
    ...checkAdminHost(member(value, "server")),
    ...checkTls(member(member(value, "server"), "tls")),
    ...checkSignIn(member(member(value, "dashboard"), "signIn")),
    ...checkSandbox(upstreams),
    ...checkMoved(upstreams),
    ...checkAuth(upstreams),
    ...checkKeys(upstreams),
    ...checkNames(models, member(value, "prefix") ?? "attune"),
    ...checkLimits(models),
    ...checkUpstreams(models, upstreams),
    ...checkEmbeddings(models, upstreams),
    ...checkRules(models),
    ...checkCandidates(models),
    ...checkPriors(models, member(member(value, "learning"), "priors")),
    ...checkScope(models, member(member(value, "learning"), "models")),
    ...checkQuotas(models, member(value, "quotas"), member(value, "prefix") ?? "attune"),
    ...checkJudges(member(member(value, "learning"), "shadow"), {
      names: servedNames(models),
      upstreams: models.length > 0 ? undefined : upstreams,
    }),
  ];
}

function checkBodyLimit(server: unknown): CrossMistake[] {
  if (member(server, "bodyLimitBytes") === undefined) return [];
  if (member(member(server, "limits"), "bodyBytes") === undefined) return [];
  return [{ path: ["server", "bodyLimitBytes"], message: "is the older name of limits.bodyBytes: leave it out" }];
}

function checkAdminHost(server: unknown): CrossMistake[] {
  if (member(server, "adminHost") === undefined || member(server, "adminPort") !== undefined) return [];
  return [{ path: ["server", "adminHost"], message: "says nothing without adminPort" }];
}

function checkTls(tls: unknown): CrossMistake[] {
  return tlsMistakes(["server", "tls"], tls, ["clientCa"]);
}

function tlsMistakes(path: readonly string[], tls: unknown, authorities: readonly string[]): CrossMistake[] {
  const mistake = findTlsMistake(path.join("."), {
    cert: member(tls, "cert"),
    key: member(tls, "key"),
    authorities: Object.fromEntries(authorities.map((name) => [name, member(tls, name)])),
  });
  return mistake === undefined ? [] : [{ path: [...path, mistake.member], message: mistake.message }];
}

function checkSignIn(signIn: unknown): CrossMistake[] {
  const required = member(signIn, "required");
  const providers = Object.keys((member(signIn, "providers") as object | undefined) ?? {});
  if ((required !== true && required !== "true") || providers.length > 0) return [];
  return [{ path: ["dashboard", "signIn", "required"], message: "lets nobody in: add a provider under providers" }];
}

function checkSandbox(upstreams: unknown): CrossMistake[] {
  const kind = member(member(upstreams, SANDBOX), "kind");
  if (kind === undefined || kind === SANDBOX) return [];
  return [{ path: ["upstreams", SANDBOX], message: "has a name that is kept for the kind sandbox: choose another" }];
}

/** Members of upstreams that are members of their profiles now. */
const MOVED = ["cacheBreakpoints", "cacheKeys", "reasoningMember"];

function checkMoved(upstreams: unknown): CrossMistake[] {
  if (typeof upstreams !== "object" || upstreams === null) return [];
  return Object.entries(upstreams).flatMap(([name, upstream]) =>
    MOVED.filter((moved) => member(upstream, moved) !== undefined).map((moved): CrossMistake => {
      const message = `is a member of profile now: write profile: { ${moved}: ... }`;
      return { path: ["upstreams", name, moved], message, at: "key" };
    }),
  );
}

/** Two credentials of one upstream leave open which one counts. */
function checkAuth(upstreams: unknown): CrossMistake[] {
  if (typeof upstreams !== "object" || upstreams === null) return [];
  return Object.entries(upstreams).flatMap(([name, upstream]): CrossMistake[] => {
    const tls = member(upstream, "tls");
    if ((member(tls, "cert") === undefined) !== (member(tls, "key") === undefined)) {
      return [{ path: ["upstreams", name, "tls"], message: "must have both cert and key, or neither" }];
    }
    const mistakes = tlsMistakes(["upstreams", name, "tls"], tls, ["ca"]);
    if (mistakes.length > 0) return mistakes;
    const auth = member(upstream, "auth");
    const type = member(auth, "type");
    if ((member(auth, "accessKeyId") === undefined) !== (member(auth, "secretAccessKey") === undefined)) {
      return [
        { path: ["upstreams", name, "auth"], message: "must have both accessKeyId and secretAccessKey, or neither" },
      ];
    }
    const isGiven = (key: string): boolean => (member(upstream, key) ?? "") !== "";
    if (type === undefined || type === "header") return [];
    return ["apiKey", "apiKeys"].filter(isGiven).map((key) => ({
      path: ["upstreams", name, key],
      message: `is not sent with auth of the type ${type}: leave one out`,
    }));
  });
}

/** A key that stands twice would get twice the share of the calls. */
function checkKeys(upstreams: unknown): CrossMistake[] {
  if (typeof upstreams !== "object" || upstreams === null) return [];
  return Object.entries(upstreams).flatMap(([name, upstream]): CrossMistake[] => {
    const keys = toList(member(upstream, "apiKeys"));
    const path = ["upstreams", name, "apiKeys"];
    if (member(upstream, "apiKeys") !== undefined && (member(upstream, "apiKey") ?? "") !== "") {
      return [{ path, message: "stands beside apiKey: put that key into the list, and leave apiKey out", at: "key" }];
    }
    return keys.flatMap((key, at) => {
      const first = keys.indexOf(key);
      return first === at
        ? []
        : [{ path: [...path, at], message: `is the same key as apiKeys[${first}]: leave one out` }];
    });
  });
}

/** Each name stands for one model: names and aliases, with the prefix and without. */
function checkNames(models: readonly unknown[], prefix: unknown): CrossMistake[] {
  const seen = new Map<string, string>();
  return models.flatMap((model, position): CrossMistake[] => {
    const at = ["models", position];
    const aliases = toList(member(model, "aliases"));
    const description = `an alias of models[${position}]`;
    const names = [
      { path: [...at, "name"], value: member(model, "name"), description: `the name of models[${position}]` },
      ...aliases.map((value, index) => ({ path: [...at, "aliases", index], value, description })),
    ];
    return names.flatMap(({ path, value, description }) => {
      if (typeof value !== "string") return [];
      const forms = [value, `${prefix}/${value}`];
      const other = forms.map((form) => seen.get(form)).find((found) => found !== undefined);
      if (other !== undefined) return [{ path, message: `is already ${other}: choose another` }];
      for (const form of forms) seen.set(form, description);
      return [];
    });
  });
}

function checkLimits(models: readonly unknown[]): CrossMistake[] {
  return models.flatMap((model, position) => {
    const most = Number(member(model, "maxOutputTokens"));
    if (!(most > Number(member(model, "contextWindow")))) return [];
    const message = "must not be more than contextWindow, which counts prompt and answer together";
    return [{ path: ["models", position, "maxOutputTokens"], message }];
  });
}

function checkUpstreams(models: readonly unknown[], upstreams: unknown): CrossMistake[] {
  if (typeof upstreams !== "object" || upstreams === null) return [];
  const known = new Set([...Object.keys(upstreams), SANDBOX]);
  return models.flatMap((model, position) =>
    toList(member(model, "deployments")).flatMap((deployment, place) => {
      const name = member(deployment, "upstream");
      if (typeof name !== "string" || known.has(name)) return [];
      const message = `names an unknown upstream; known: ${[...known].join(", ")}`;
      return [{ path: ["models", position, "deployments", place, "upstream"], message }];
    }),
  );
}

/** Kinds of upstream that make no embeddings. */
const WITHOUT_EMBEDDINGS = new Set<unknown>(
  HTTP_KINDS.filter((kind) => !EMBEDDING_KINDS.some((other) => other === kind)),
);

function checkEmbeddings(models: readonly unknown[], upstreams: unknown): CrossMistake[] {
  return models.flatMap((model, position) => {
    const embeds = member(model, "embeddings");
    if (embeds !== true && embeds !== "true") return [];
    return toList(member(model, "deployments")).flatMap((deployment, place): CrossMistake[] => {
      const kind = member(member(upstreams, String(member(deployment, "upstream"))), "kind");
      if (!WITHOUT_EMBEDDINGS.has(kind)) return [];
      const message =
        `is an upstream of the kind ${String(kind)}, which makes no embeddings: name one of the kind ` +
        `${EMBEDDING_KINDS.join(" or ")}, or leave embeddings out`;
      return [{ path: ["models", position, "deployments", place, "upstream"], message }];
    });
  });
}

/** The members of a rule. */
const KINDS = ["pattern", "schema", "webhook"];
/** All that an answer is for are asked at once. */
const MAX_WEBHOOKS = 8;

/** Rules that nothing is done about would look as if they were kept. */
function checkRules(models: readonly unknown[]): CrossMistake[] {
  return models.flatMap((model, position): CrossMistake[] => {
    const rules = toList(member(model, "checks"));
    const path = ["models", position, "checks"];
    const retry = member(member(model, "optimizations"), "checkedRetry") ?? "off";
    const candidates = member(member(model, "candidates"), "max") ?? 1;
    if (rules.length > 0 && retry === "off" && candidates === 1) {
      return [{ path, message: "has no effect without optimizations.checkedRetry: unary or on, or candidates.max" }];
    }
    if (rules.filter((rule) => member(rule, "webhook") !== undefined).length > MAX_WEBHOOKS) {
      return [{ path, message: `must have at most ${MAX_WEBHOOKS} rules with a webhook` }];
    }
    const isEmpty = (rule: unknown): boolean => KINDS.every((kind) => member(rule, kind) === undefined);
    return rules.flatMap((rule, at) =>
      isEmpty(rule) ? [{ path: [...path, at], message: "must have a pattern, a schema or a webhook" }] : [],
    );
  });
}

/** Checks that models with one candidate have no settings of a choice. */
function checkCandidates(models: readonly unknown[]): CrossMistake[] {
  return models.flatMap((model, position): CrossMistake[] => {
    const candidates = member(model, "candidates");
    const [max, learned] = [member(candidates, "max") ?? 1, member(candidates, "learned") ?? "off"];
    const idle = ["selectorTrials", "maxSlowdown"].filter((name) => member(candidates, name) !== undefined);
    if (learned === "off" && idle.length > 0) {
      return idle.map((name) => ({
        path: ["models", position, "candidates", name],
        message: "has no effect without learned: unary or on",
      }));
    }
    if (learned === "off" || max !== 1) return [];
    return [
      { path: ["models", position, "candidates", "learned"], message: "has no effect without a max of 2 or more" },
    ];
  });
}

/** Returns the names of the models: a configuration without models has the built-in ones. */
function servedNames(models: readonly unknown[]): ReadonlySet<unknown> {
  const served = models.length > 0 ? models : BUILT_IN_MODELS;
  return new Set(served.map((model) => member(model, "name")));
}

function checkPriors(models: readonly unknown[], priors: unknown): CrossMistake[] {
  if (typeof priors !== "object" || priors === null) return [];
  const names = servedNames(models);
  return Object.keys(priors)
    .filter((name) => !names.has(name))
    .map((name) => ({ path: ["learning", "priors", name], message: "is the name of none of the models" }));
}

function checkScope(models: readonly unknown[], scope: unknown): CrossMistake[] {
  const names = servedNames(models);
  return toList(scope).flatMap((name, at) =>
    names.has(name) ? [] : [{ path: ["learning", "models", at], message: "is the name of none of the models" }],
  );
}

const QUOTAS = ["installation", "eachProject", "eachKey", "eachEndUser"];

/** A quota that names no model that exists would have every call refused. */
function checkQuotas(models: readonly unknown[], quotas: unknown, prefix: unknown): CrossMistake[] {
  const own = models.flatMap((model) => [member(model, "name"), ...toList(member(model, "aliases"))]);
  const names = models.length === 0 ? BUILT_IN_MODELS.flatMap(({ name, aliases = [] }) => [name, ...aliases]) : own;
  const known = new Set(names.flatMap((name) => [name, `${prefix}/${name}`]));
  return QUOTAS.flatMap((quota) =>
    toList(member(member(quotas, quota), "models")).flatMap((name, at): CrossMistake[] =>
      typeof name !== "string" || known.has(name)
        ? []
        : [{ path: ["quotas", quota, "models", at], message: "is the name of none of the models" }],
    ),
  );
}
