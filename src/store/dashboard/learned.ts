import { type ControlDefaults, resolveControls } from "../../learning/controls.ts";
import type { WorkloadControls } from "../../learning/workload.ts";
import { type ControlSettings, NO_CONTROLS } from "../../vocabulary/control-fields.ts";
import { readControls } from "../learning/control-store.ts";
import type { Store } from "../types/store.ts";

export type { ControlDefaults, WorkloadControls };

/** The controls that operators have set in a project. */
interface ProjectControls {
  /** Of all its workloads, as far as nothing else is said of one. */
  readonly ofProject: ControlSettings;
  /** Workloads of which something is said. */
  readonly models: readonly string[];
  /** Returns a workload's own controls, and the resolved ones. */
  of(model: string): { readonly own: ControlSettings; readonly resolved: WorkloadControls };
}

/** The learning of a project's workloads, as far as people say something of it. */
export interface Learned {
  /** `defaults` hold where nobody has said otherwise. */
  controls(projectId: string, defaults: ControlDefaults): Promise<ProjectControls>;
}

/** Creates the learning of a database, as people change it. */
export function createLearned(store: Store): Learned {
  return {
    async controls(projectId, defaults) {
      const rows = await readControls(store, projectId);
      const byModel = new Map(rows.map(({ key, ...settings }) => [key.model, settings]));
      const ofProject = byModel.get("") ?? NO_CONTROLS;
      return {
        ofProject,
        models: [...byModel.keys()].filter((model) => model !== ""),
        of(model) {
          const own = byModel.get(model) ?? NO_CONTROLS;
          return { own, resolved: resolveControls(own, ofProject, defaults, { projectId, model }) };
        },
      };
    },
  };
}
