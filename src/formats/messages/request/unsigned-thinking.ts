import { type ContentBlock, type Message, Role } from "../../../../gen/attune/content/v1/content_pb.ts";

/**
 * Returns the thinking that an upstream made itself and did not sign. A service that signs nothing may want it back
 * (DeepSeek refuses calls without the thinking before them). What nothing follows may have been cut before it was
 * signed, and a service that signs would refuse it.
 */
export function findUnsigned(messages: readonly Message[], own: ReadonlySet<ContentBlock>): ReadonlySet<ContentBlock> {
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
