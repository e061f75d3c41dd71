import { create } from "@bufbuild/protobuf";
import {
  type Controls,
  ControlsSchema,
  Hold,
  type UpdateControlsRequest,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import type { Violation } from "../hub/error.ts";
import { CONTROL_FIELDS, CONTROL_NAMES, type ControlName, type ControlSettings } from "../vocabulary/control-fields.ts";
import { type MetricSettings, metricProblem } from "../vocabulary/metric-overrides.ts";
import { NOT_IN_CATALOG } from "../vocabulary/not-in-catalog.ts";
import { CONTROL_PATHS, controlsAt, isControlSet, readControl } from "./control-message.ts";

/** A change of controls, as requests of whichever service have it. */
export type Update = Pick<UpdateControlsRequest, "controls" | "updateMask">;

/** Returns the name of a catalog's model by its id; undefined if there is none. */
type NameOf = (id: string) => string | undefined;

/** Finds what is wrong with a request beside what its proto says. */
export function checkUpdate(request: Update, nameOf: NameOf): Violation[] {
  const { controls, updateMask } = request;
  const paths = updateMask?.paths ?? [];
  const violations: Violation[] = [];
  if (updateMask !== undefined && paths.length === 0) {
    violations.push({ param: "update_mask", problem: `must name what is changed: ${CONTROL_PATHS.join(", ")}` });
  }
  for (const path of paths) {
    if (CONTROL_PATHS.includes(path)) continue;
    const problem = `names '${path.slice(0, 64)}', and can name ${CONTROL_PATHS.join(", ")}`;
    violations.push({ param: "update_mask", problem });
  }
  if (controls === undefined) return violations;
  for (const path of CONTROL_PATHS) {
    if (paths.includes(path) || !isControlSet(controls, path)) continue;
    const problem = "is set, and update_mask does not name it: name it, or leave it out";
    violations.push({ param: `controls.${path}`, problem });
  }
  return [...violations, ...checkModels(controls, nameOf), ...checkMetrics(controls), ...checkRubric(controls)];
}

function checkRubric({ shadow }: Controls): Violation[] {
  const isBlank = shadow?.rubric !== undefined && shadow.rubric.trim() === "";
  return isBlank ? [{ param: "controls.shadow.rubric", problem: "must not be blank" }] : [];
}

function checkMetrics(controls: Controls): Violation[] {
  const names = new Set<string>();
  return ((readControl(controls, "metrics") ?? []) as readonly MetricSettings[]).flatMap((metric, at) => {
    const isRepeated = names.has(metric.name);
    names.add(metric.name);
    const problem = isRepeated ? "is set twice: set it once" : metricProblem(metric);
    return problem === undefined ? [] : [{ param: `controls.metrics[${at}]`, problem }];
  });
}

function checkModels(controls: Controls, nameOf: NameOf): Violation[] {
  const problem = NOT_IN_CATALOG;
  const { hold, pinnedModel } = controls;
  const violations: Violation[] = [];
  if (hold === Hold.PINNED && pinnedModel === "") violations.push({ param: "controls.pinned_model", problem });
  if (hold !== Hold.PINNED && pinnedModel !== "") {
    violations.push({ param: "controls.pinned_model", problem: "goes with HOLD_PINNED: set hold to that" });
  }
  for (const name of CONTROL_NAMES) {
    const { kind, path } = CONTROL_FIELDS[name];
    const value = readControl(controls, name);
    if (value === null || (name === "pinned" && hold !== Hold.PINNED)) continue;
    if (kind === "model" && nameOf(String(value)) === undefined) {
      violations.push({ param: `controls.${path}`, problem });
    }
    if (name === "shadowSecondJudge" && value === readControl(controls, "shadowJudge")) {
      violations.push({ param: `controls.${path}`, problem: "is the judge already: name another model" });
    }
    if (kind !== "models") continue;
    for (const [at, id] of (value as readonly string[]).entries()) {
      if (nameOf(id) === undefined) violations.push({ param: `controls.${path}[${at}]`, problem });
    }
  }
  return violations;
}

/** Returns what a request changes; what it names and says nothing of is left to the next in line. */
export function readControlChanges({ controls, updateMask }: Update, nameOf: NameOf): Partial<ControlSettings> {
  const sentControls = controls ?? create(ControlsSchema);
  const names = (updateMask?.paths ?? []).flatMap(controlsAt);
  return Object.fromEntries(names.map((name) => [name, readSetting(sentControls, name, nameOf)]));
}

/** Reads a setting with names of models; null where nothing is said of it. */
function readSetting(controls: Controls, name: ControlName, nameOf: NameOf): ControlSettings[ControlName] {
  const { kind } = CONTROL_FIELDS[name];
  const value = readControl(controls, name);
  if (name === "pinned" && controls.hold !== Hold.PINNED) return null;
  if (value === null) return null;
  if (kind === "model") return nameOf(String(value)) ?? null;
  if (kind !== "models") return value;
  const models = (value as readonly string[]).flatMap((id) => nameOf(id) ?? []);
  return models.length === 0 ? null : models;
}
