import { Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface Props {
  readonly isOpen: boolean;
  readonly title: string;
  /** The title while the secret is shown. */
  readonly secretTitle: string;
  readonly onClose: () => void;
  /** Returns the form, which tells the secret that it got. */
  readonly form: (onSecret: (secret: string) => void, onCancel: () => void) => ReactNode;
  /** Returns the secret with what belongs to it. */
  readonly shown: (secret: string, onDone: () => void) => ReactNode;
}

/** A dialog that asks for something with a secret, and then shows the secret, once. */
export function SecretDialog({ isOpen, title, secretTitle, onClose, form, shown }: Props) {
  const [secret, setSecret] = useState<string>();
  const close = () => {
    onClose();
    setSecret(undefined);
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={secret === undefined ? title : secretTitle}
      size={secret === undefined ? "md" : "lg"}
      // A click beside the dialog must not take away the only sight of a secret.
      closeOnClickOutside={secret === undefined}
    >
      {secret === undefined ? form(setSecret, close) : shown(secret, close)}
    </Modal>
  );
}
