import { withLearningPause } from "../../src/store/learning/learning-pause.ts";
import {
  type RebuildOptions,
  type RebuildResult,
  rebuildWorkloads,
} from "../../src/store/learning/rebuild-workloads.ts";
import type { Store } from "../../src/store/types/store.ts";

/** Learns the workloads of a project anew, without a request for it. */
export async function rebuildNow(store: Store, options: RebuildOptions): Promise<RebuildResult> {
  return await withLearningPause(store, (pause) => rebuildWorkloads(store, pause, options));
}
