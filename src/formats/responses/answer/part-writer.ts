import type { BlockDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";

/** Writes the events of one block, between those that add its item and those that end it. */
export interface PartWriter {
  /** Events that open the block. */
  open(): string;
  /** Adds a delta to the part; returns its events. */
  delta(delta: BlockDelta): string;
  /** Events that say what the block became. */
  close(): string;
}
