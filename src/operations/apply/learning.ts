import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { type Controls, UpdateControlsRequestSchema } from "../../../gen/attune/workload/v1/workload_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { CONTROL_PATHS, isControlSet } from "../../learning/control-message.ts";
import { checkUpdate, readControlChanges } from "../../learning/update-controls.ts";
import { readControls, setControls } from "../../store/learning/control-store.ts";
import { CONTROL_NAMES, type ControlSettings, controlJsonPath, NO_CONTROLS } from "../../vocabulary/control-fields.ts";
import { NOT_IN_CATALOG } from "../../vocabulary/not-in-catalog.ts";
import { mentionedPaths } from "./cleared.ts";
import type { AppliedProject, ApplyContext } from "./context.ts";
import type { ItemState } from "./ledger.ts";

/** The controls of a project or one of its workloads, as a document has them. */
interface WantedLearning {
  /** Name, id or alias of the base; undefined for all workloads. */
  readonly model?: string;
  /** Undefined where the document does not mention them. */
  readonly learning: Controls | undefined;
  /** Place of the project, or of the workload. */
  readonly place: string;
}

/** Sets the controls of a project or one of its workloads as a document has them; what it does not mention stays. */
export async function applyLearning(
  context: ApplyContext,
  { id: projectId, name: project }: AppliedProject,
  wanted: WantedLearning,
): Promise<void> {
  const { work, ledger } = context;
  const { learning, place } = wanted;
  if (learning === undefined) return;
  const model = wanted.model === undefined ? "" : work.modelOf(wanted.model);
  if (model === undefined) {
    throw InferenceError.invalid(`${place}.model`, NOT_IN_CATALOG);
  }
  const known = await readOwnControls(work.store, { projectId, model });
  const changes = readChanges(context, learning, `${place}.learning`);
  const settings = { ...known, ...changes };
  const [before, after] = [learningState(known), learningState(settings)];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await setControls(work.store, { projectId, model }, changes, work.store.origin.actor.label);
  }
  const noted = { item: { kind: "learning", projectId, name: model } as const, project, title: model, place };
  const wasSet = Object.keys(before).length > 0;
  const unmentioned = learningState({ ...known, ...withNulls(changes) });
  if (Object.keys(after).length > 0)
    await ledger.note({ ...noted, before: wasSet ? before : null, after, kept: unmentioned });
  else if (wasSet) await ledger.noteRemoved({ ...noted, before });
}

/** Returns what a document changes: all of it where it mentions nothing. Throws INVALID_REQUEST. */
function readChanges({ work, cleared }: ApplyContext, controls: Controls, place: string): Partial<ControlSettings> {
  const { modelOf } = work;
  // A model that a workload is pinned to goes with the hold.
  const names = cleared.membersOf(place).map((name) => (name === "pinned_model" ? "hold" : name));
  const paths = mentionedPaths(CONTROL_PATHS, (path) => isControlSet(controls, path), { names, place });
  const update = create(UpdateControlsRequestSchema, { controls, updateMask: { paths: [...CONTROL_PATHS] } });
  const [first] = checkUpdate(update, modelOf);
  if (first !== undefined) {
    throw InferenceError.invalid(`${place}.${first.param.replace(/^controls\./, "")}`, first.problem);
  }
  if (paths.length === 0) return NO_CONTROLS;
  return readControlChanges({ controls, updateMask: create(FieldMaskSchema, { paths: [...paths] }) }, modelOf);
}

function withNulls(changes: Partial<ControlSettings>): Partial<ControlSettings> {
  return Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
}

/** Reads what is said of a workload, or with an empty model of a project. */
export async function readOwnControls(
  store: ApplyContext["work"]["store"],
  { projectId, model }: { readonly projectId: string; readonly model: string },
): Promise<ControlSettings> {
  const rows = await readControls(store, projectId);
  const { key: _, ...settings } = rows.find(({ key }) => key.model === model) ?? { ...NO_CONTROLS, key: undefined };
  return settings;
}

/** Returns controls as a diff has them. */
export function learningState(settings: ControlSettings): ItemState {
  const names = CONTROL_NAMES.filter((name) => settings[name] !== null);
  return Object.fromEntries(names.map((name) => [controlJsonPath(name), settings[name]]));
}
