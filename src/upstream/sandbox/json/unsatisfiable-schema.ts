/** A schema for which there is no value, or none that the sandbox finds. */
export class UnsatisfiableSchema extends Error {
  override readonly name = "UnsatisfiableSchema";
}
