import type { WorkloadKey } from "../../../learning/workload.ts";
import { readWorkloadHistory } from "../../learning/workload-reads.ts";
import type { Store } from "../../types/store.ts";

/** Something that happened to a workload. */
interface WorkloadHappening {
  readonly id: string;
  readonly at: Date;
  /** See HistoryEvent. */
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** True if it happened to all of the project. */
  readonly isOfProject: boolean;
}

const MOST = 200;

/** Reads what happened to a workload and to all of its project, the latest first. */
export async function readEvents(store: Store, key: WorkloadKey): Promise<WorkloadHappening[]> {
  const [own, ofProject] = await Promise.all([
    readWorkloadHistory(store, key, MOST),
    readWorkloadHistory(store, { ...key, model: "" }, MOST),
  ]);
  const toHappening = ({ id, at, kind, detail, model }: (typeof own)[number]): WorkloadHappening => ({
    id,
    at,
    kind,
    detail,
    isOfProject: model === "",
  });
  return [...own, ...ofProject]
    .map(toHappening)
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, MOST);
}
