import type { Draft } from "../draft.ts";

/** What every part of the form works with. */
export interface PartProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}
