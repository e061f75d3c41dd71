import { BUILT_IN_MODELS } from "../catalog/built-in.ts";
import { across, type CrossMistake, type Sound } from "./across.ts";
import { builtInModels } from "./defaults.ts";
import type { Path } from "./mistake.ts";
import { completedSchema, type ParsedConfig } from "./schema.ts";
import { EMBEDDING_KINDS, HTTP_KINDS, SANDBOX } from "./upstream-schema.ts";

type SoundConfig = Sound<ParsedConfig>;
type SoundModels = NonNullable<SoundConfig["models"]>;

/** The configuration with its checks of sections together; those within a section are alongside its members. */
export const checkedSchema = across(completedSchema, findMistakes);

function findMistakes(config: SoundConfig): CrossMistake[] {
  const { models = [] } = config;
  return [
    ...checkNames(models, config.prefix),
    ...checkDeployments(models, config.upstreams ?? {}),
    ...checkNamed(config, models),
  ];
}

/** Each name stands for one model: names and aliases, with the prefix and without. */
function checkNames(models: SoundModels, prefix: string | undefined): CrossMistake[] {
  const seen = new Map<string, string>();
  return models.flatMap((model, position): CrossMistake[] => {
    const at = ["models", position];
    const description = `an alias of models[${position}]`;
    const names = [
      { path: [...at, "name"], value: model?.name, description: `the name of models[${position}]` },
      ...(model?.aliases ?? []).map((value, index) => ({ path: [...at, "aliases", index], value, description })),
    ];
    return names.flatMap(({ path, value, description }) => {
      if (value === undefined) return [];
      const forms = [value, `${prefix}/${value}`];
      const other = forms.map((form) => seen.get(form)).find((found) => found !== undefined);
      if (other !== undefined) return [{ path, message: `is already ${other}: choose another` }];
      for (const form of forms) seen.set(form, description);
      return [];
    });
  });
}

/** Kinds of upstream that make no embeddings. */
const WITHOUT_EMBEDDINGS = new Set<unknown>(
  HTTP_KINDS.filter((kind) => !EMBEDDING_KINDS.some((other) => other === kind)),
);

function checkDeployments(models: SoundModels, upstreams: NonNullable<SoundConfig["upstreams"]>): CrossMistake[] {
  const known = new Set([...Object.keys(upstreams), SANDBOX]);
  return models.flatMap((model, position) =>
    (model?.deployments ?? []).flatMap((deployment, place): CrossMistake[] => {
      const name = deployment?.upstream;
      if (name === undefined) return [];
      const path = ["models", position, "deployments", place, "upstream"];
      if (!known.has(name)) {
        return [{ path, message: `names an unknown upstream; known: ${[...known].join(", ")}` }];
      }
      const kind = upstreams[name]?.kind;
      if (model?.embeddings !== true || !WITHOUT_EMBEDDINGS.has(kind)) return [];
      const message =
        `is an upstream of the kind ${kind}, which makes no embeddings: name one of the kind ` +
        `${EMBEDDING_KINDS.join(" or ")}, or leave embeddings out`;
      return [{ path, message }];
    }),
  );
}

const QUOTAS = ["installation", "eachProject", "eachKey", "eachEndUser"] as const;

/**
 * Finds names of models that there are not: a quota that names none that exists would have every call refused. A
 * configuration without models has the built-in ones.
 */
function checkNamed({ prefix, upstreams = {}, learning, quotas }: SoundConfig, models: SoundModels): CrossMistake[] {
  const served = models.length > 0 ? models : BUILT_IN_MODELS;
  const names = new Set(served.map((model) => model?.name));
  const callable = new Set(
    served.flatMap((model) => [model?.name, ...(model?.aliases ?? [])].flatMap((name) => [name, `${prefix}/${name}`])),
  );
  const message = "is the name of none of the models";
  const unknown = (path: Path, given: unknown, among: ReadonlySet<unknown>): CrossMistake[] =>
    (Array.isArray(given) ? given : []).flatMap((name, at) =>
      name === undefined || among.has(name) ? [] : [{ path: [...path, at], message }],
    );
  const checkJudge = (member: "judge" | "secondJudge"): CrossMistake[] => {
    const judge = learning?.shadow?.[member];
    const path = ["learning", "shadow", member];
    if (judge === undefined) return [];
    if (!names.has(judge)) return [{ path, message }];
    const unserved = models.length > 0 ? undefined : findUnserved(judge, upstreams);
    return unserved === undefined ? [] : [{ path, message: `is a model that is not served: ${unserved.reason}` }];
  };
  return [
    ...Object.keys(learning?.priors ?? {})
      .filter((name) => !names.has(name))
      .map((name) => ({ path: ["learning", "priors", name], message })),
    ...unknown(["learning", "models"], learning?.models, names),
    ...QUOTAS.flatMap((quota) => unknown(["quotas", quota, "models"], quotas?.[quota]?.models, callable)),
    ...checkJudge("judge"),
    ...checkJudge("secondJudge"),
  ];
}

function findUnserved(name: string, upstreams: NonNullable<SoundConfig["upstreams"]>) {
  const kinds = Object.entries(upstreams).flatMap(([key, upstream]) =>
    upstream?.kind === undefined ? [] : [[key, { kind: upstream.kind }] as const],
  );
  return builtInModels(Object.fromEntries(kinds)).unserved.find((model) => model.name === name);
}
