import { create } from "@bufbuild/protobuf";
import {
  type Controls,
  ControlsSchema,
  DecisionUnit,
  FeedbackExtent,
  Hold,
  LearningMode,
  type MetricSettings as MetricMessage,
  Objective,
  type UpdateControlsRequest,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import type { Violation } from "../hub/error.ts";
import { type MetricSettings, metricProblem } from "../hub/metric-overrides.ts";
import type { ControlSettings } from "./controls.ts";
import { DIRECTIONS, EXTENTS, HOLDS, MODES, OBJECTIVES, UNITS } from "./workload-message.ts";

/** A change of controls, as requests of whichever service have it. */
export type Update = Pick<UpdateControlsRequest, "controls" | "updateMask">;

/** Returns the name of a catalogue's model by its id; undefined if there is none. */
type NameOf = (id: string) => string | undefined;

type Path =
  | "mode"
  | "hold"
  | "excluded_models"
  | "objective"
  | "reward_per_price"
  | "feedback"
  | "metrics"
  | "unit"
  | `shadow.${"share" | "judge" | "usd_per_day" | "rubric"}`;

/** The change of each path of the mask, and whether its field is set. */
const PATHS: Record<
  Path,
  { readonly isSet: (controls: Controls) => boolean; readonly change: (controls: Controls, nameOf: NameOf) => Change }
> = {
  mode: {
    isSet: ({ mode }) => mode !== LearningMode.UNSPECIFIED,
    change: ({ mode }) => ({ mode: wordOf(MODES, mode) }),
  },
  hold: {
    isSet: ({ hold, pinnedModel }) => hold !== Hold.UNSPECIFIED || pinnedModel !== "",
    change: ({ hold, pinnedModel }, nameOf) => ({
      hold: wordOf(HOLDS, hold),
      pinned: hold === Hold.PINNED ? (nameOf(pinnedModel) ?? null) : null,
    }),
  },
  excluded_models: {
    isSet: ({ excludedModels }) => excludedModels.length > 0,
    change({ excludedModels }, nameOf) {
      const names = excludedModels.flatMap((id) => nameOf(id) ?? []);
      return { excluded: names.length === 0 ? null : names };
    },
  },
  objective: {
    isSet: ({ objective }) => objective !== Objective.UNSPECIFIED,
    change: ({ objective }) => ({ objective: wordOf(OBJECTIVES, objective) }),
  },
  reward_per_price: {
    isSet: ({ rewardPerPrice }) => rewardPerPrice !== undefined,
    change: ({ rewardPerPrice }) => ({ rewardPerPrice: rewardPerPrice ?? null }),
  },
  feedback: {
    isSet: ({ feedback }) => feedback !== FeedbackExtent.UNSPECIFIED,
    change: ({ feedback }) => ({ feedback: wordOf(EXTENTS, feedback) }),
  },
  metrics: {
    isSet: ({ metrics }) => metrics.length > 0,
    change: ({ metrics }) => ({ metrics: metrics.length === 0 ? null : metrics.map(settingsOf) }),
  },
  unit: {
    isSet: ({ unit }) => unit !== DecisionUnit.UNSPECIFIED,
    change: ({ unit }) => ({ unit: wordOf(UNITS, unit) }),
  },
  "shadow.share": {
    isSet: ({ shadow }) => shadow?.share !== undefined,
    change: ({ shadow }) => ({ shadowShare: shadow?.share ?? null }),
  },
  "shadow.judge": {
    isSet: ({ shadow }) => shadow?.judge !== undefined,
    change({ shadow }, nameOf) {
      return { shadowJudge: shadow?.judge === undefined ? null : (nameOf(shadow.judge) ?? null) };
    },
  },
  "shadow.usd_per_day": {
    isSet: ({ shadow }) => shadow?.usdPerDay !== undefined,
    change: ({ shadow }) => ({ shadowUsdPerDay: shadow?.usdPerDay ?? null }),
  },
  "shadow.rubric": {
    isSet: ({ shadow }) => shadow?.rubric !== undefined,
    change: ({ shadow }) => ({ shadowRubric: shadow?.rubric ?? null }),
  },
};

type Change = Partial<ControlSettings>;

/** All that an update mask may name. */
export const CONTROL_PATHS = Object.keys(PATHS) as readonly Path[];

/** Returns whether controls have a value at a path of CONTROL_PATHS. */
export function isControlSet(controls: Controls, path: Path): boolean {
  return PATHS[path].isSet(controls);
}

/** Finds what is wrong with a request beside what its proto says. */
export function checkUpdate(request: Update, nameOf: NameOf): Violation[] {
  const { controls, updateMask } = request;
  const paths = updateMask?.paths ?? [];
  const violations: Violation[] = [];
  if (updateMask !== undefined && paths.length === 0) {
    violations.push({ param: "update_mask", problem: `must name what is changed: ${CONTROL_PATHS.join(", ")}` });
  }
  for (const path of paths) {
    if (isPath(path)) continue;
    const problem = `names '${path.slice(0, 64)}', and can name ${CONTROL_PATHS.join(", ")}`;
    violations.push({ param: "update_mask", problem });
  }
  if (controls === undefined) return violations;
  for (const path of CONTROL_PATHS) {
    if (paths.includes(path) || !PATHS[path].isSet(controls)) continue;
    const problem = "is set, and update_mask does not name it: name it, or leave it out";
    violations.push({ param: `controls.${path}`, problem });
  }
  return [...violations, ...checkModels(controls, nameOf), ...checkMetrics(controls)];
}

function checkMetrics({ metrics }: Controls): Violation[] {
  const names = new Set<string>();
  return metrics.flatMap((metric, at) => {
    const isRepeated = names.has(metric.name);
    names.add(metric.name);
    const problem = isRepeated ? "is said twice: say it once" : metricProblem(settingsOf(metric));
    return problem === undefined ? [] : [{ param: `controls.metrics[${at}]`, problem }];
  });
}

function settingsOf({ name, weight, direction, atLeast, atMost }: MetricMessage): MetricSettings {
  const way = wordOf(DIRECTIONS, direction);
  return {
    name,
    ...(weight !== undefined && { weight }),
    ...(way !== null && { direction: way }),
    ...(atLeast !== undefined && { atLeast }),
    ...(atMost !== undefined && { atMost }),
  };
}

function checkModels({ hold, pinnedModel, excludedModels, shadow }: Controls, nameOf: NameOf): Violation[] {
  const violations: Violation[] = [];
  const missing = "is no model of the catalogue: ListModels lists them";
  if (hold === Hold.PINNED && nameOf(pinnedModel) === undefined) {
    violations.push({ param: "controls.pinned_model", problem: missing });
  }
  if (hold !== Hold.PINNED && pinnedModel !== "") {
    violations.push({ param: "controls.pinned_model", problem: "goes with HOLD_PINNED: set hold to that" });
  }
  if (shadow?.judge !== undefined && nameOf(shadow.judge) === undefined) {
    violations.push({ param: "controls.shadow.judge", problem: missing });
  }
  for (const [at, id] of excludedModels.entries()) {
    if (nameOf(id) === undefined) violations.push({ param: `controls.excluded_models[${at}]`, problem: missing });
  }
  return violations;
}

/** Returns what a request changes; what it names and says nothing of is left to the next in line. */
export function changesOf({ controls, updateMask }: Update, nameOf: NameOf): Change {
  const said = controls ?? create(ControlsSchema);
  return Object.assign(
    {},
    ...(updateMask?.paths ?? []).map((path) => (isPath(path) ? PATHS[path].change(said, nameOf) : {})),
  );
}

function isPath(path: string): path is Path {
  return Object.hasOwn(PATHS, path);
}

/** The word that stands for a value of an enum; null for one that is unspecified. */
function wordOf<Word extends string, Value extends number>(
  words: Readonly<Record<Word, Value>>,
  value: number,
): Word | null {
  for (const word of Object.keys(words) as Word[]) if (words[word] === value) return word;
  return null;
}
