import { type ContentBlock, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { UpstreamTarget } from "../../../hub/upstream.ts";
import { type AskedSearch, findSearch } from "../../shared/hosted-tools/web-search.ts";
import { LossList } from "../../shared/losses.ts";
import { CacheMarks } from "./cache-marks.ts";
import { findUnsigned } from "./unsigned-thinking.ts";

/** The shared state of one translation. */
export class EncodeContext {
  /** True if the request came in the Messages format, so that nothing is rearranged. */
  readonly native: boolean;
  readonly losses: LossList;
  readonly marks: CacheMarks;
  /** The web search that a caller of another format asks the provider for. */
  readonly search: AskedSearch | undefined;
  /** Thinking that goes back to the upstream without a signature, as it came. */
  readonly unsigned: ReadonlySet<ContentBlock>;
  /** True if marks were placed that the caller did not ask for. */
  hasMarkedParts = false;

  constructor(input: HubInput, { ownReasoning = new Set() }: Pick<UpstreamTarget, "ownReasoning">) {
    this.native = input.dialect === Dialect.MESSAGES;
    this.losses = new LossList("messages", input);
    this.search = this.native ? undefined : findSearch(input, Dialect.MESSAGES);
    this.unsigned = findUnsigned(input.messages, ownReasoning);
    this.marks = new CacheMarks(this.losses);
  }
}
