/** The tasks of a thread, by name. Arguments and results are copied from one thread to the other. */
export type Tasks = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Asks for one task. */
export interface TaskRequest {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Says what came of it. */
export type TaskAnswer = { readonly value: unknown } | { readonly failure: TaskFailure };

/** Says that the thread has loaded its module, and takes up the first task. */
export const STARTED = "started";

/**
 * An error on its way to another thread. An error itself would arrive without its code, by which databases tell what is
 * wrong.
 */
interface TaskFailure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | number | undefined;
  readonly errcode: number | undefined;
  readonly cause: TaskFailure | undefined;
}

/** Describes an error for another thread. */
export function toTaskFailure(thrown: unknown): TaskFailure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    code: typeof code === "string" || typeof code === "number" ? code : undefined,
    errcode: typeof errcode === "number" ? errcode : undefined,
    cause: error.cause instanceof Error ? toTaskFailure(error.cause) : undefined,
  };
}

/** Makes an error of what another thread described. */
export function failureToError({ name, message, stack, code, errcode, cause }: TaskFailure): Error {
  const error = name === RangeError.name ? new RangeError(message) : new Error(message);
  if (cause !== undefined) error.cause = failureToError(cause);
  const facts = Object.entries({ name: name === error.name ? undefined : name, stack, code, errcode }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.assign(error, Object.fromEntries(facts));
}

/** Returns the buffer that bytes fill alone: it can be handed over to another thread rather than copied. */
export function ownBuffer(value: unknown): ArrayBuffer[] {
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return [];
  return value.byteLength > 0 && value.byteLength === value.buffer.byteLength ? [value.buffer] : [];
}
