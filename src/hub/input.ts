import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Dialect, type RawJson, RawJsonSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { type InferenceInput, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";

/** The ingress of a request: the facts that its message does not hold, because only Attune knows them. */
export interface Ingress {
  /** Public format that it came in; unspecified for one that came over RPC. */
  readonly dialect: Dialect;
  /**
   * Members that the format's answers repeat, as the caller wrote them (a JSON object): kept with what is stored, so
   * that the answer can be given again as it was. Never sent upstream.
   */
  readonly echo?: RawJson | undefined;
  /** True if its inference goes on without its caller. */
  readonly background: boolean;
}

/** A request inside of Attune: the message of the RPC API, and how it came in. */
export type HubInput = InferenceInput & Ingress;

/** The members that a request is created from. */
export type HubInit = MessageInitShape<typeof InferenceInputSchema> &
  Partial<Omit<Ingress, "echo">> & { readonly echo?: MessageInitShape<typeof RawJsonSchema> | undefined };

/** Creates a request; as if it had come over RPC where it is not said otherwise. */
export function createHubInput(init: HubInit = {}): HubInput {
  const { dialect = Dialect.UNSPECIFIED, echo, background = false } = init;
  return { ...create(InferenceInputSchema, init), dialect, echo: echo && create(RawJsonSchema, echo), background };
}
