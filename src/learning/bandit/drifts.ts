/** Bounds from which an arm counts as changed. */
interface DriftSettings {
  readonly driftAllowance: number;
  readonly driftThreshold: number;
}

/** A CUSUM by arm, on both sides, of what rewards were beside what was predicted. */
export class Drifts {
  /** Sums of rewards above and below what was predicted. */
  readonly driftsUp: Float64Array;
  readonly driftsDown: Float64Array;

  constructor(arms: number) {
    this.driftsUp = new Float64Array(arms);
    this.driftsDown = new Float64Array(arms);
  }

  /** Counts a reward that was so much above what was predicted. Returns whether the arm has changed. */
  add(arm: number, surprise: number, { driftAllowance, driftThreshold }: DriftSettings): boolean {
    const up = Math.max(0, (this.driftsUp[arm] ?? 0) + surprise - driftAllowance);
    const down = Math.max(0, (this.driftsDown[arm] ?? 0) - surprise - driftAllowance);
    this.driftsUp[arm] = up;
    this.driftsDown[arm] = down;
    return up > driftThreshold || down > driftThreshold;
  }

  /** Takes back what a reward had added. */
  remove(arm: number, surprise: number, { driftAllowance }: DriftSettings): void {
    const drifts = surprise > 0 ? this.driftsUp : this.driftsDown;
    const added = Math.max(0, Math.abs(surprise) - driftAllowance);
    drifts[arm] = Math.max(0, (drifts[arm] ?? 0) - added);
  }

  reset(arm: number): void {
    this.driftsUp[arm] = 0;
    this.driftsDown[arm] = 0;
  }
}
