import type { HostileUpstream } from "./hostile-upstream.ts";
import type { Problem } from "./judge.ts";
import type { Random } from "./random.ts";
import type { AttackedService } from "./service.ts";

/** What inputs are aimed at. */
export interface Target {
  readonly service: AttackedService;
  readonly upstream: HostileUpstream;
  /** Inferences that exist in the project. */
  readonly inferenceIds: readonly string[];
}

/** One input: made, not yet sent. */
export interface Input {
  /** Describes it in a line. */
  what(): string;
  /** Sends it and judges what comes back. */
  send(): Promise<readonly Problem[]>;
}

/** Sends one input after another. */
export interface Lane {
  /** Makes the input of a number. The same random numbers make the same input. */
  make(random: Random, number: number): Input;
  close(): void;
}

/** A part of the service, and how it is attacked. */
export interface Area {
  readonly name: string;
  /** Share of all inputs, in hundredths. */
  readonly share: number;
  /** Inputs under way at a time. */
  readonly lanes: number;
  /** Longest that one input may take. */
  readonly limitMs: number;
  /** Most processor time of the service for an input on average; undefined if inputs may cost what they ask for. */
  readonly averageCpuMs?: number;
  open(target: Target): Lane;
}
