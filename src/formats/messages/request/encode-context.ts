import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { LossList } from "../../shared/losses.ts";
import { CacheMarks } from "./cache-marks.ts";

/** What the parts of one translation share. */
export class EncodeContext {
  /** Whether the request came in the Messages format, so that nothing is rearranged. */
  readonly native: boolean;
  readonly losses: LossList;
  readonly marks: CacheMarks;
  /** Whether marks were placed that the caller did not ask for. */
  hasMarkedParts = false;

  constructor(input: HubInput) {
    this.native = input.dialect === Dialect.MESSAGES;
    this.losses = new LossList("messages", input);
    this.marks = new CacheMarks(this.losses);
  }
}
