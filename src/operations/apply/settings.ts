import type { DocumentProject } from "../../../gen/attune/admin/v1/document_pb.ts";
import { NO_SETTINGS, type SetSettings } from "../../store/dashboard/project-settings.ts";
import {
  changedSettings,
  isSameSettings,
  isSettingSet,
  messageToSettings,
  readSettings,
  SETTINGS_PATHS,
  setSettings,
} from "../project-settings.ts";
import type { AppliedProject, ApplyContext } from "./context.ts";
import type { ItemState } from "./ledger.ts";

/** Sets the settings of a project as a document has them; those that it does not mention stay. */
export async function applySettings(
  { work, ledger }: ApplyContext,
  { id: projectId, name: project, place }: AppliedProject,
  { settings, clearedSettings }: Pick<DocumentProject, "settings" | "clearedSettings">,
): Promise<void> {
  if (settings === undefined) return;
  const known = await readSettings(work, projectId);
  const sentSettings = messageToSettings(work, { settings, before: known }, `${place}.settings`);
  const isMentioned = (path: string) =>
    isSettingSet(settings, path) || clearedSettings.includes(path.replace(/^.*\./, ""));
  // "settings" itself stands for all of them.
  const paths = SETTINGS_PATHS.slice(1).filter(isMentioned);
  const wanted = changedSettings(known, sentSettings, paths);
  await setSettings(work, projectId, wanted);
  const [before, after] = [settingsState(known), settingsState(wanted)];
  const item = { kind: "settings", projectId, name: "" } as const;
  const unmentioned = settingsState(changedSettings(known, NO_SETTINGS, paths));
  const noted = { item, project, title: "", place: `${place}.settings` };
  const isSet = !isSameSettings(known, NO_SETTINGS);
  if (!isSameSettings(wanted, NO_SETTINGS))
    await ledger.note({ ...noted, before: isSet ? before : null, after, kept: unmentioned });
  else if (isSet) await ledger.noteRemoved({ ...noted, before });
}

/** Returns settings as a diff has them. */
export function settingsState({ bodies, optimizationsOff, aliases }: SetSettings): ItemState {
  return {
    ...(bodies !== NO_SETTINGS.bodies && { bodies }),
    ...(optimizationsOff.length > 0 && { disabledOptimizations: [...optimizationsOff].sort() }),
    ...Object.fromEntries(Object.entries(aliases).map(([alias, model]) => [`aliases.${alias}`, model])),
  };
}
