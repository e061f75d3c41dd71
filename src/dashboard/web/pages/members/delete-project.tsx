import { Box, Button, Group, Modal, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { SESSION_KEY } from "../../api/query-client.ts";
import { DELETIONS_KEY } from "../../parts/deleted-projects.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Name } from "../../parts/name.tsx";
import { nameText } from "../../parts/name-text.ts";
import { type Session, useProject } from "../../shell/session.ts";

/** Deletes the project, once its name is written. */
export function DeleteProject() {
  const { name } = useProject();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Box className="attune-card" p="md" style={{ borderColor: "var(--mantine-color-red-9)" }}>
      <Group justify="space-between">
        <Box flex="1 1 240px" miw={0}>
          <Title order={3} size="h5">
            Delete <Name>{name}</Name>
          </Title>
          <Text fz="sm" c="dimmed">
            Its keys are refused at once. Its requests, figures, learned state, settings and members are deleted after a
            day; until then owners can restore it.
          </Text>
        </Box>
        <Button color="red.9" onClick={() => setIsAsking(true)}>
          Delete the project
        </Button>
      </Group>
      {isAsking && <DeleteDialog onClose={() => setIsAsking(false)} />}
    </Box>
  );
}

function DeleteDialog({ onClose }: { readonly onClose: () => void }) {
  const { id: projectId, name } = useProject();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const deletion = useMutation({
    mutationFn: () => api.projects.delete.mutate({ projectId, name }),
    meta: { showsError: true },
    onSuccess: async () => {
      // At once, so that the start page does not lead back to it.
      const without = (session: Session | undefined) =>
        session && { ...session, projects: session.projects.filter(({ id }) => id !== projectId) };
      client.setQueryData(SESSION_KEY, without);
      await navigate("/");
      await client.invalidateQueries({ queryKey: SESSION_KEY });
      await client.invalidateQueries({ queryKey: DELETIONS_KEY });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Delete ${nameText(name)}?`}>
      <DialogForm
        action="Delete"
        isDangerous
        onSubmit={() => deletion.mutate()}
        onCancel={onClose}
        isPending={deletion.isPending}
        isDisabled={text !== name}
        error={deletion.error}
      >
        <Text fz="sm">Every call with its keys fails from now on. Members no longer see it.</Text>
        <TextInput
          label="Name of the project"
          description={`Write ${nameText(name)} to confirm`}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          data-autofocus
        />
      </DialogForm>
    </Modal>
  );
}
