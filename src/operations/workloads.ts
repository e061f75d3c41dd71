import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { InferenceError } from "../hub/error.ts";
import { checkUpdate } from "../learning/update-controls.ts";
import { createWorkloadOperations, type WorkloadOperations } from "../learning/workload-operations.ts";
import { createWorkloadDirectory } from "../store/learning/workload-directory.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import { readPageSize } from "./page.ts";

type ReadMethod = "listWorkloads" | "getWorkload" | "listWorkloadHistory";
type WorkloadMethod = ReadMethod | "updateControls" | "resetWorkload";

/** The operations on workloads: those of attune.workload.v1, for a project that the caller names. */
export const workloadHandlers: Handlers<WorkloadMethod> = {
  async listWorkloads(work, { project, pageSize, pageToken }) {
    const { id } = await findOwnProject(work, project);
    return await getOperations(work).list(id, { size: readPageSize(pageSize), pageToken });
  },

  async getWorkload(work, { project, model }) {
    const { id } = await findOwnProject(work, project);
    return await (model === "" ? getOperations(work).getProject(id) : getOperations(work).get(id, model));
  },

  async listWorkloadHistory(work, { project, ...request }) {
    const { id } = await findOwnProject(work, project);
    return await getOperations(work).history(id, request);
  },

  async updateControls(work, { project, target, controls, mergeMetrics, ...request }) {
    const { id } = await findOwnProject(work, project);
    const update = { controls, updateMask: withoutPinned(request.updateMask) };
    const [first, ...others] = checkUpdate(update, work.modelOf);
    if (first !== undefined) {
      throw InferenceError.invalid(first.param, first.problem).with({ violations: [first, ...others] });
    }
    const model = target.case === "model" ? target.value : undefined;
    return await getOperations(work).update(id, model, { ...update, by: work.store.origin, mergeMetrics });
  },

  async resetWorkload(work, { project, model }) {
    const { id } = await findOwnProject(work, project);
    await getOperations(work).reset(id, model, work.store.origin);
    return {};
  },
};

function getOperations({ store, learning, modelOf, prefix }: Work): WorkloadOperations {
  return createWorkloadOperations({ directory: createWorkloadDirectory(store, learning), modelOf, prefix });
}

/** A merge patch names the model beside the hold that it goes with. */
function withoutPinned(mask: FieldMask | undefined): FieldMask | undefined {
  if (!mask?.paths.includes("hold")) return mask;
  return { ...mask, paths: mask.paths.filter((path) => path !== "pinned_model") };
}
