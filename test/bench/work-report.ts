import { countWork, type WorkOfRequest } from "./count-work.ts";
import type { Shape } from "./shapes.ts";
import type { Target } from "./targets.ts";
import { WORK_BOUNDS } from "./work-bounds.ts";

const BOUNDED_TARGET = "attune";
const ROOMS = 30;

/** Prints what a warm request runs in each target, by room for the service; sets the exit code where it is too much. */
export async function reportWork(targets: readonly Target[], shapes: readonly Shape[]): Promise<void> {
  const rows: object[] = [];
  for (const shape of shapes) {
    for (const { name, process } of targets) {
      const work = await countWork(process, shape);
      const { calls, functions, kilobytes } = work;
      rows.push({ shape: shape.name, target: name, calls, functions, kilobytes });
      if (name !== BOUNDED_TARGET) continue;
      printRooms(shape, work);
      checkBound(shape, work);
    }
  }
  console.table(rows);
  console.log(JSON.stringify(rows));
}

function printRooms({ name }: Shape, { rooms }: WorkOfRequest): void {
  console.log(`${name}, by room`);
  console.table(Object.fromEntries([...rooms].slice(0, ROOMS)));
}

function checkBound({ name }: Shape, work: WorkOfRequest): void {
  for (const excess of excessesOf(name, work)) {
    console.error(excess);
    process.exitCode = 1;
  }
}

/** Says which bounds of a shape a request passes. */
export function excessesOf(shape: string, work: Pick<WorkOfRequest, "calls" | "functions" | "kilobytes">): string[] {
  const bound = WORK_BOUNDS[shape];
  if (bound === undefined) return [];
  return (["calls", "functions", "kilobytes"] as const)
    .filter((figure) => work[figure] > bound[figure])
    .map((figure) => `${shape}: ${work[figure]} ${figure} a request, where work-bounds.ts allows ${bound[figure]}`);
}
