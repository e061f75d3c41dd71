import { create } from "@bufbuild/protobuf";
import { type Controls, UpdateControlsRequestSchema } from "../../../gen/attune/workload/v1/workload_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { ControlSettings } from "../../learning/controls.ts";
import { NO_SETTINGS } from "../../learning/controls.ts";
import { CONTROL_PATHS, changesOf, checkUpdate } from "../../learning/update-controls.ts";
import { readControls, setControls } from "../../store/learning/control-store.ts";
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

/** The names that documents have for settings. */
const NAMES: Record<keyof ControlSettings, string> = {
  ...{ mode: "mode", hold: "hold", pinned: "pinnedModel", excluded: "excludedModels", objective: "objective" },
  ...{ rewardPerPrice: "rewardPerPrice", feedback: "feedback", metrics: "metrics", unit: "unit" },
  shadowShare: "shadow.share",
  ...{ shadowJudge: "shadow.judge", shadowUsdPerDay: "shadow.usdPerDay", shadowRubric: "shadow.rubric" },
};

/** Sets the controls of a project or one of its workloads as a document has them. */
export async function applyLearning(
  { work, ledger }: ApplyContext,
  { id: projectId, name: project }: AppliedProject,
  wanted: WantedLearning,
): Promise<void> {
  const { learning, place } = wanted;
  if (learning === undefined) return;
  const model = wanted.model === undefined ? "" : work.modelOf(wanted.model);
  if (model === undefined) {
    throw InferenceError.invalid(`${place}.model`, "is no model of the catalogue: GET /v1/models lists them");
  }
  const settings = readSettings(learning, work.modelOf, `${place}.learning`);
  const known = await readSaid(work.store, { projectId, model });
  const [before, after] = [learningState(known), learningState(settings)];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await setControls(work.store, { projectId, model }, settings, work.store.origin.actor.label);
  }
  const noted = { item: { kind: "learning", projectId, name: model } as const, project, title: model, place };
  const isSaid = Object.keys(before).length > 0;
  if (Object.keys(after).length > 0) await ledger.note({ ...noted, before: isSaid ? before : null, after });
  else if (isSaid) await ledger.noteRemoved({ ...noted, before });
}

function readSettings(controls: Controls, modelOf: (name: string) => string | undefined, place: string) {
  const update = create(UpdateControlsRequestSchema, { controls, updateMask: { paths: [...CONTROL_PATHS] } });
  const [first] = checkUpdate(update, modelOf);
  if (first !== undefined) {
    throw InferenceError.invalid(`${place}.${first.param.replace(/^controls\./, "")}`, first.problem);
  }
  return { ...NO_SETTINGS, ...changesOf(update, modelOf) };
}

/** Reads what is said of a workload, or with an empty model of a project. */
export async function readSaid(
  store: ApplyContext["work"]["store"],
  { projectId, model }: { readonly projectId: string; readonly model: string },
): Promise<ControlSettings> {
  const rows = await readControls(store, projectId);
  const { key: _, ...settings } = rows.find(({ key }) => key.model === model) ?? { ...NO_SETTINGS, key: undefined };
  return settings;
}

/** Returns controls as a diff has them. */
export function learningState(settings: ControlSettings): ItemState {
  const said = (Object.keys(NAMES) as (keyof ControlSettings)[]).filter((name) => settings[name] !== null);
  return Object.fromEntries(said.map((name) => [NAMES[name], settings[name]]));
}
