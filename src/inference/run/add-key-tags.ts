import { create } from "@bufbuild/protobuf";
import { CallFactsSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import type { Principal } from "../../hub/principal.ts";

/** Adds the tags of the key to those of its call, which cannot have others of these names. */
export function addKeyTags(input: HubInput, { tags }: Principal): void {
  if (tags === undefined) return;
  const facts = input.facts ?? create(CallFactsSchema);
  input.facts = { ...facts, tags: { ...facts.tags, ...tags } };
}
