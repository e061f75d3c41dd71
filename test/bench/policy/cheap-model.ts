import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import type { ReplaySet } from "../replay/replay-set.ts";
import { playProtocol, type Seeds } from "./scenarios.ts";

const ROWS = 6000;
const OF_BASE = 0.8;
/** Right answers of the model that costs a tenth of base. */
const OF_CHEAP = [0.85, 0.8, 0.77];
const SHADOW = { share: 0.1, accuracy: 0.8, biasSd: 0.05 };
const FEEDBACK = {
  "all rated": {},
  "20 in 100": { observed: 0.2 },
  "5 in 100, with a judge": { observed: 0.05, shadow: SHADOW },
  "20 in 100, with a judge": { observed: 0.2, shadow: SHADOW },
};

/** Plays the objective `cost` with a model at a tenth of the price: how much feedback shows that it is as good. */
export async function measureCheapModel(seeds: Seeds): Promise<readonly object[]> {
  const rows: object[] = [];
  for (const right of OF_CHEAP) {
    const set = drawTwo(right);
    for (const [feedback, options] of Object.entries(FEEDBACK)) {
      const report = await playProtocol(set, { base: "large", objective: "cost", ...seeds, ...options });
      rows.push({ right, feedback, bill: report.costRatio, d: report.meanDelta, worst: report.worstDelta });
    }
  }
  return rows;
}

function drawTwo(right: number): ReplaySet {
  const random = new SeededRandom(5);
  const draw = (at: number) => Number(random.uniform() < (at % 2 === 0 ? OF_BASE : right));
  return {
    models: ["large", "small"],
    families: ["a"],
    familyOf: new Int32Array(ROWS),
    prompts: Array.from({ length: ROWS }, () => "A question"),
    scores: Float64Array.from({ length: 2 * ROWS }, (_, at) => draw(at)),
    costs: Float64Array.from({ length: 2 * ROWS }, (_, at) => (at % 2 === 0 ? 0.01 : 0.001)),
  };
}
