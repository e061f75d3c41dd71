/** Stands between a model's id and a test directive for the sandbox. */
export const DIRECTIVE_MARK = ":sandbox-";

/** A model id as a caller sends it, taken apart. */
interface DirectedModelId {
  /** Id as it is listed. */
  readonly id: string;
  /** The directive to the sandbox, such as rate-limit=2; undefined if the id carries none. */
  readonly directive?: string | undefined;
}

/** Takes a test directive off a model id: attune/some-model:sandbox-rate-limit=2. */
export function splitDirective(modelId: string): DirectedModelId {
  const at = modelId.indexOf(DIRECTIVE_MARK);
  if (at === -1) return { id: modelId };
  return { id: modelId.slice(0, at), directive: modelId.slice(at + DIRECTIVE_MARK.length) };
}
