import { Modal, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { DialogForm } from "./dialog-form.tsx";

interface Props {
  readonly isOpen: boolean;
  readonly title: string;
  /** The explanation of what happens, and whether it can be undone. */
  readonly children: ReactNode;
  /** The action on the button: "Revoke the key". */
  readonly action: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ isOpen, title, children, action, isPending, onConfirm, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <DialogForm action={action} isDangerous isPending={isPending} onSubmit={onConfirm} onCancel={onClose}>
        <Text component="div" fz="sm">
          {children}
        </Text>
      </DialogForm>
    </Modal>
  );
}
