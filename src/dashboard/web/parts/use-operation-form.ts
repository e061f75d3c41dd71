import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { fieldErrors } from "../api/errors.ts";

interface Options<Values extends Record<string, unknown>, Input, Output, Failure, Result>
  extends Pick<UseFormInput<Values>, "initialValues" | "validate"> {
  /** `trpc.keys.create.mutationOptions({ onSuccess })`. */
  readonly operation: UseMutationOptions<Output, Failure, Input, Result>;
  /** Returns what the operation takes; undefined where there is nothing to do. */
  readonly toInput: (values: Values) => Input | undefined;
  /** Returns the field that has the value of a path of the operation; without it they have the same names. */
  readonly toField?: (path: string) => string;
}

interface OperationForm<Values extends Record<string, unknown>, Input, Output, Failure, Result> {
  readonly form: UseFormReturnType<Values>;
  readonly operation: UseMutationResult<Output, Failure, Input, Result>;
  /** Props of `DialogForm`. */
  readonly state: {
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
}

/**
 * Binds a form to an operation: its values become what the operation takes, and what the server says of a field stands
 * at the field of that path.
 */
export function useOperationForm<Values extends Record<string, unknown>, Input, Output, Failure, Result>({
  initialValues,
  validate,
  operation: options,
  toInput,
  toField = (path) => path,
}: Options<Values, Input, Output, Failure, Result>): OperationForm<Values, Input, Output, Failure, Result> {
  const form = useForm<Values>({ initialValues, ...(validate && { validate }) });
  const operation = useMutation({ ...options, meta: { ...options.meta, showsError: true } });
  const send = (values: Values) => {
    const input = toInput(values);
    if (input === undefined) return;
    operation.mutate(input, {
      onError: (error) =>
        form.setErrors(
          Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, text]) => [toField(path), text])),
        ),
    });
  };
  return {
    form,
    operation,
    state: { onSubmit: form.onSubmit(send), isPending: operation.isPending, error: operation.error },
  };
}
