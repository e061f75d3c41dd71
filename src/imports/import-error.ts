/** A setting that an import could not carry over, or work that is left to do by hand. */
export interface ImportNote {
  /** Place in the imported file: `model_list[0].litellm_params.rpm`. */
  readonly path: string;
  /** A sentence for people: what becomes of it. */
  readonly text: string;
}

/** A configuration of another product, as one of Attune. */
export interface Imported {
  /** The text of `attune.yaml`. */
  readonly yaml: string;
  /** Every setting that has no counterpart, and what is to be done by hand, in the order of the file. */
  readonly notes: readonly ImportNote[];
}

/** Thrown where the file is not what it should be; its message says where. */
export class ImportError extends Error {}
