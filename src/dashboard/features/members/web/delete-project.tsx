import { Box, Button, Group, Modal, Text, TextInput, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { trpc } from "../../../web/api/trpc.ts";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { useProject } from "../../../web/shell/session.ts";

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
            Its keys stop working immediately. Its requests, figures, learned state, settings and members are deleted
            after a day; until then owners can restore it.
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
  const { form, state } = useOperationForm({
    initialValues: { name: "" },
    operation: trpc.projects.delete.mutationOptions({
      // Read again once this page is left: until then what it asks for is refused.
      meta: { changes: [] },
      onSuccess: async () => {
        // At once, so that the start page does not lead back to it.
        client.setQueryData(trpc.session.current.queryKey(), (session) =>
          session?.user ? { ...session, projects: session.projects.filter(({ id }) => id !== projectId) } : session,
        );
        await navigate("/");
        await client.invalidateQueries(trpc.session.current.queryFilter());
        await client.invalidateQueries(trpc.projects.pathFilter());
      },
    }),
    toInput: (values) => ({ projectId, ...values }),
  });
  return (
    <Modal opened onClose={onClose} title={`Delete ${nameText(name)}?`}>
      <DialogForm action="Delete" isDangerous onCancel={onClose} {...state} isDisabled={form.values.name !== name}>
        <Text fz="sm">Every call with its keys fails from now on. Members no longer see it.</Text>
        <TextInput
          label="Name of the project"
          description={`Write ${nameText(name)} to confirm`}
          data-autofocus
          {...form.getInputProps("name")}
        />
      </DialogForm>
    </Modal>
  );
}
