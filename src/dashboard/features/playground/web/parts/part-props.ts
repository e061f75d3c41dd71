import type { Draft } from "../draft.ts";

/** The props of every part of the form. */
export interface PartProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}
