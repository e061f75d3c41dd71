/** The outcome of a check: it held, something of it was lost and named, it has no answer there, or it did not hold. */
export interface Outcome {
  readonly is: "holds" | "named" | "none" | "fails";
  /** Losses that were named, or what came instead. */
  readonly told: string;
}

export const NOTHING_TO_ASK: Outcome = { is: "none", told: "" };

/**
 * Returns the outcome of a check, by what came instead of the answer and by the losses that were named. What only the
 * server's format has room for in its answer, such as timings, was not asked for.
 */
export function outcomeOf(told: string, named: string): Outcome {
  const losses = named
    .split(/,\s*/)
    .filter((loss) => loss !== "" && !loss.startsWith("answer."))
    .join(", ");
  if (losses !== "") return { is: "named", told: losses };
  return told === "" ? { is: "holds", told } : { is: "fails", told };
}

export function errorText(error: unknown): string {
  const body = typeof error === "object" && error !== null && "error" in error ? JSON.stringify(error.error) : "";
  return `${String(error)} ${body}`.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");
}
