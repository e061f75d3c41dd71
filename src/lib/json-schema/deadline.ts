import { createContext, Script } from "node:vm";

const context = createContext({ work: undefined });
const script = new Script("work()");

/** Work that took too long and was stopped. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Does synchronous work and stops it after a while. Patterns and schemas come from callers: some keep a validator busy
 * for years, and nothing else can interrupt a regular expression. Throws DeadlineError.
 */
export function withDeadline<T>(timeoutMs: number, work: () => T): T {
  context["work"] = work;
  try {
    return script.runInContext(context, { timeout: timeoutMs });
  } catch (thrown) {
    throw isTimeout(thrown) ? new DeadlineError(`took longer than ${timeoutMs} ms`) : thrown;
  } finally {
    context["work"] = undefined;
  }
}

/** The error comes from the other context, so it is no instance of this one's Error. */
function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
