import { isDeepStrictEqual } from "node:util";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { BodyPolicy, type ProjectSettings, type ProjectSettingsSchema } from "../../gen/attune/admin/v1/project_pb.ts";
import { OPTIMIZATION_NAMES } from "../catalog/model.ts";
import { isModelName, MODEL_NAME_RULE } from "../catalog/model-name.ts";
import { InferenceError } from "../hub/error.ts";
import type { BodyPolicy as Policy } from "../store/bodies/body-policy.ts";
import { NO_SETTINGS, readProjectSettings, type SetSettings } from "../store/dashboard/project-settings.ts";
import { writeSettings } from "../store/settings/write-settings.ts";
import { NOT_IN_CATALOG } from "../vocabulary/not-in-catalog.ts";
import type { Work } from "./handlers.ts";

/** The names that an update mask may have for settings. */
export const SETTINGS_PATHS = [
  "settings",
  ...["settings.bodies", "settings.disabled_optimizations", "settings.aliases"],
] as const;

/** The messages of policies. */
export const BODY_POLICY_MESSAGES: Record<Policy, BodyPolicy> = {
  full: BodyPolicy.FULL,
  redacted: BodyPolicy.REDACTED,
  none: BodyPolicy.NONE,
};

/** Reads the settings of a project. */
export async function readSettings({ store }: Pick<Work, "store">, projectId: string): Promise<SetSettings> {
  return (await readProjectSettings(store, [projectId])).get(projectId) ?? NO_SETTINGS;
}

/** Sets the settings of a project; what is the same already leaves no entry in the audit log. */
export async function setSettings({ store }: Pick<Work, "store">, projectId: string, wanted: SetSettings) {
  if (isSameSettings(await readSettings({ store }, projectId), wanted)) return;
  await writeSettings(store, projectId, wanted);
}

/**
 * Reads settings of a request; `place` names them. An alias that is as it was before stays, though its model may be
 * gone. Throws INVALID_REQUEST.
 */
export function messageToSettings(
  { modelOf }: Pick<Work, "modelOf">,
  {
    settings,
    before = NO_SETTINGS,
  }: { readonly settings?: ProjectSettings | undefined; readonly before?: SetSettings },
  place: string,
): SetSettings {
  if (settings === undefined) return NO_SETTINGS;
  const policies = Object.entries(BODY_POLICY_MESSAGES) as [Policy, BodyPolicy][];
  const [bodies] = policies.find(([, message]) => message === settings.bodies) ?? ["full" as const];
  const optimizationsOff = settings.disabledOptimizations.map((text, at) => {
    const name = OPTIMIZATION_NAMES.find((known) => known === text);
    if (name !== undefined) return name;
    const problem = `must be one of ${OPTIMIZATION_NAMES.join(", ")}`;
    throw InferenceError.invalid(`${place}.disabled_optimizations[${at}]`, problem);
  });
  const known = new Map(Object.entries(before.aliases));
  const aliases = Object.entries(settings.aliases).map(([name, model]) => {
    if (known.get(name) === model) return [name, model] as const;
    return [name, readAlias(modelOf, [name, model], `${place}.aliases`)] as const;
  });
  return { bodies, optimizationsOff: optimizationsOff.sort(), aliases: Object.fromEntries(aliases.sort(byName)) };
}

/** Returns the name of the model that an alias is for. Throws INVALID_REQUEST. */
function readAlias(modelOf: Work["modelOf"], [name, model]: readonly [string, string], place: string): string {
  const problem = isModelName(name)
    ? modelOf(name) && "is a name that the catalog has for every project: choose another name"
    : MODEL_NAME_RULE;
  if (problem !== undefined) throw InferenceError.invalid(place, `has '${name.slice(0, 64)}', which ${problem}`);
  const found = modelOf(model);
  if (found !== undefined) return found;
  throw InferenceError.invalid(`${place}.${name}`, NOT_IN_CATALOG);
}

/** Returns the settings that a request wants, of which it says what the paths of its update mask name. */
export function changedSettings(before: SetSettings, sent: SetSettings, paths: readonly string[]): SetSettings {
  const isNamed = (name: string) => paths.includes("settings") || paths.includes(`settings.${name}`);
  return {
    bodies: isNamed("bodies") ? sent.bodies : before.bodies,
    optimizationsOff: isNamed("disabled_optimizations") ? sent.optimizationsOff : before.optimizationsOff,
    aliases: isNamed("aliases") ? sent.aliases : before.aliases,
  };
}

/** Returns whether settings have what a path of SETTINGS_PATHS names. */
export function isSettingSet(settings: ProjectSettings | undefined, path: string): boolean {
  if (settings === undefined) return false;
  if (path === "settings") return true;
  if (path === "settings.bodies") return settings.bodies !== BodyPolicy.UNSPECIFIED;
  if (path === "settings.aliases") return Object.keys(settings.aliases).length > 0;
  return path === "settings.disabled_optimizations" && settings.disabledOptimizations.length > 0;
}

/** Returns settings as responses have them. */
export function settingsToMessage(settings: SetSettings): MessageInitShape<typeof ProjectSettingsSchema> {
  const { bodies, optimizationsOff, aliases } = settings;
  return {
    bodies: BODY_POLICY_MESSAGES[bodies],
    disabledOptimizations: [...optimizationsOff],
    aliases: { ...aliases },
  };
}

/** Returns whether two settings are the same. */
export function isSameSettings(one: SetSettings, other: SetSettings): boolean {
  return isDeepStrictEqual(sorted(one), sorted(other));
}

function sorted({ bodies, optimizationsOff, aliases }: SetSettings) {
  return { bodies, optimizationsOff: [...optimizationsOff].sort(), aliases };
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
