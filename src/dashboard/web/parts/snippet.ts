/** A call, written in one language. */
export interface Snippet {
  readonly language: string;
  readonly code: string;
}
