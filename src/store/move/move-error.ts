/** A move that is refused or failed, in words for people. */
export class MoveError extends Error {
  override readonly name = "MoveError";
}
