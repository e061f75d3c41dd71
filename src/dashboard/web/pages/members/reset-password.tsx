import { Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Outputs, trpc } from "../../api/trpc.ts";
import { DialogFooter, DialogForm } from "../../parts/dialog-form.tsx";
import { useProject } from "../../shell/session.ts";
import { NewLink } from "./new-link.tsx";

/** A member, as the page shows one. */
export type Member = Outputs["members"]["list"][number];

interface Props {
  /** The member whose password is reset; the dialog is closed without one. */
  readonly member: Member | undefined;
  readonly onClose: () => void;
}

/** Makes the link through which a member chooses a new password, and shows it once. */
export function ResetPassword({ member, onClose }: Props) {
  const { id: projectId } = useProject();
  const reset = useMutation(trpc.members.resetPassword.mutationOptions({ meta: { showsError: true } }));
  return (
    <Modal
      opened={member !== undefined}
      onClose={onClose}
      title={`Reset the password of ${member?.email ?? ""}`}
      size="lg"
      // A click beside the dialog must not take away the only sight of a link.
      closeOnClickOutside={reset.data === undefined}
    >
      {reset.data === undefined && (
        <DialogForm
          action="Make a link"
          onSubmit={() => member !== undefined && reset.mutate({ projectId, userId: member.userId })}
          onCancel={onClose}
          isPending={reset.isPending}
          error={reset.error}
        >
          <Text fz="sm">
            You get a link through which they choose a new password. Nothing changes until it is used; then all their
            sessions end. Whoever has the link has the account, so give it to nobody else.
          </Text>
        </DialogForm>
      )}
      {reset.data !== undefined && member !== undefined && (
        <Stack>
          <NewLink path="reset" token={reset.data.token} email={member.email} until="within a day" />
          <DialogFooter cancel="I have copied it" onCancel={onClose} />
        </Stack>
      )}
    </Modal>
  );
}
