import { type ControlSettings, controlsIn } from "../learning/controls.ts";
import { readControls, setControls } from "../store/learning/control-store.ts";
import { fail, print } from "./output.ts";
import { setRemoteControls } from "./remote-controls.ts";
import { checkModel, describeControls, withWorkload } from "./run-workloads.ts";
import type { SetArguments, WorkloadOptions } from "./workload-options.ts";

/** Sets what the command names, and prints what holds then. */
export async function runSet(said: SetArguments, options: WorkloadOptions): Promise<void> {
  if (Object.keys(said).length === 0) fail("nothing to set: see attune workloads set --help");
  if (options.url !== undefined) {
    return await setRemoteControls(
      options,
      changesOf(said, (given) => given),
    );
  }
  await withWorkload(options, async ({ config, store, key, project }) => {
    await setControls(
      store,
      key,
      changesOf(said, (given) => checkModel(config, given)),
    );
    const { resolved } = controlsIn(await readControls(store, key.projectId), key, config.learning);
    print(key.model === "" ? `all workloads of ${project}` : `${key.model} in ${project}`);
    for (const line of describeControls(resolved)) print(line);
  });
}

function changesOf(said: SetArguments, nameOf: (given: string) => string): Partial<ControlSettings> {
  const { mode, objective, rewardPerPrice, feedback, unit, shadow, judge, usdDay, rubric } = said;
  const judgeName = judge === undefined || judge === "default" ? judge : nameOf(judge);
  return {
    ...(mode !== undefined && { mode: orInherited(mode) }),
    ...(objective !== undefined && { objective: orInherited(objective) }),
    ...(rewardPerPrice !== undefined && { rewardPerPrice: orInherited(rewardPerPrice) }),
    ...(feedback !== undefined && { feedback: orInherited(feedback) }),
    ...(unit !== undefined && { unit: orInherited(unit) }),
    ...(shadow !== undefined && { shadowShare: orInherited(shadow) }),
    ...(judgeName !== undefined && { shadowJudge: orInherited(judgeName) }),
    ...(usdDay !== undefined && { shadowUsdPerDay: orInherited(usdDay) }),
    ...(rubric !== undefined && { shadowRubric: orInherited(rubric) }),
  };
}

function orInherited<Value>(value: Value): Exclude<Value, "default"> | null {
  return value === "default" ? null : (value as Exclude<Value, "default">);
}
