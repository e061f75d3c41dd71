import { type ControlDefaults, controlsIn } from "../../learning/controls.ts";
import type { WorkloadDirectory } from "../../learning/directory.ts";
import type { Store } from "../types/store.ts";
import { readControls, setControls } from "./control-store.ts";
import { readSpent } from "./read-spent.ts";
import { resetWorkload } from "./reset-workload.ts";
import { readWorkload, readWorkloadHistory, readWorkloadPage } from "./workload-reads.ts";

/** Creates the directory of a database's workloads. `defaults` returns what holds where nothing is said. */
export function createWorkloadDirectory(store: Store, defaults: () => ControlDefaults): WorkloadDirectory {
  return {
    page: (projectId, part) => readWorkloadPage(store, projectId, part),
    read: (key) => readWorkload(store, key),
    spent: (key) => readSpent(store, key),
    history: (key, { most, ...part }) => readWorkloadHistory(store, key, most, { ...part, withProject: true }),
    async controls(projectId) {
      const rows = await readControls(store, projectId);
      return (model) => controlsIn(rows, { projectId, model }, defaults());
    },
    setControls: (key, changes, by) => setControls(store.as(by), key, changes, by.actor.label),
    reset: (key, by) => resetWorkload(store.as(by), key, by.actor.label),
  };
}
