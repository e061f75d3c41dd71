import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect } from "react";
import { followMutations } from "../api/trpc.ts";
import { ErrorNote } from "./error-note.tsx";

interface FooterProps {
  /** Closes the dialog. */
  readonly onCancel: () => void;
  /** The text of the button that closes: "Cancel" where something could be done. */
  readonly cancel?: string;
  /** The other choice, as to remove what is edited, and labels. */
  readonly aside?: ReactNode;
  /** The buttons that act. */
  readonly children?: ReactNode;
}

/** The row of buttons at the end of a dialog: what acts is at the right. */
export function DialogFooter({ onCancel, cancel = "Cancel", aside, children }: FooterProps) {
  return (
    <Group justify="space-between" gap="sm" mt="xs">
      <Group gap="sm">{aside}</Group>
      <Group gap="sm" ml="auto" justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {cancel}
        </Button>
        {children}
      </Group>
    </Group>
  );
}

interface FormProps extends Pick<FooterProps, "onCancel" | "aside"> {
  /** The fields, or the question. */
  readonly children: ReactNode;
  /** The action on the button: "Create the key". */
  readonly action: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly isPending: boolean;
  /** The failure of the action, shown above the buttons. */
  readonly error?: unknown;
  /** True while the fields do not make a whole. */
  readonly isDisabled?: boolean;
  /** True if the action takes something away. */
  readonly isDangerous?: boolean;
}

/**
 * The content of a dialog that does one thing: Enter does it, once, and a failure leaves the dialog open. Where it was
 * closed meanwhile, a notification tells of the failure.
 */
export function DialogForm({ children, action, onSubmit, onCancel, ...state }: FormProps) {
  const { aside, isPending, error, isDisabled = false, isDangerous = false } = state;
  useEffect(followMutations, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog may be opened within another form, and React hands its events on to it.
    event.stopPropagation();
    if (!isPending && !isDisabled) onSubmit(event);
  };
  return (
    <form onSubmit={submit} aria-busy={isPending}>
      <Stack>
        {children}
        <ErrorNote error={error} />
        <DialogFooter onCancel={onCancel} aside={aside}>
          <Button type="submit" disabled={isDisabled} loading={isPending} {...(isDangerous && { color: "red.9" })}>
            {action}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
