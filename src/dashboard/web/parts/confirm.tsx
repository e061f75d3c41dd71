import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

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
    <Modal opened={isOpen} onClose={onClose} title={title} centered closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text component="div">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red.9" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
