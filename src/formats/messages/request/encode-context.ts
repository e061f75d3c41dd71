import { type ContentBlock, Dialect, type Message, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { UpstreamTarget } from "../../../hub/upstream.ts";
import { findSearch, type RequestedSearch } from "../../shared/hosted-tools/web-search.ts";
import { LossList } from "../../shared/losses.ts";
import { CacheMarks } from "./cache-marks.ts";

/** The shared state of one translation. */
export class EncodeContext {
  /** True if the request came in the Messages format, so that nothing is rearranged. */
  readonly native: boolean;
  readonly losses: LossList;
  readonly marks: CacheMarks;
  /** The web search that a caller of another format asks the provider for. */
  readonly search: RequestedSearch | undefined;
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

/**
 * Returns the thinking that an upstream made itself and did not sign. A service that signs nothing may want it back
 * (DeepSeek refuses calls without the thinking before them). What nothing follows may have been cut before it was
 * signed, and a service that signs would refuse it.
 */
function findUnsigned(messages: readonly Message[], own: ReadonlySet<ContentBlock>): ReadonlySet<ContentBlock> {
  const found = new Set<ContentBlock>();
  let last: ContentBlock | undefined;
  for (const { role, content } of messages) {
    if (role !== Role.ASSISTANT) last = undefined;
    else {
      for (const block of content) {
        if (last !== undefined) found.add(last);
        last = own.has(block) && isUnsigned(block) ? block : undefined;
      }
    }
  }
  return found;
}

function isUnsigned({ kind }: ContentBlock): boolean {
  return kind.case === "thinking" && kind.value.opaque === undefined;
}
