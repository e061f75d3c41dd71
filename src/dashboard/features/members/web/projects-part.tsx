import { Anchor, Badge, Box, Button, Group, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { mayAct, type OwnProject, useProject, useSession } from "../../../web/shell/session.ts";
import { ROLE_CHOICES } from "./roles.ts";

/** Lists the projects of who is signed in; owners rename them and make new ones. */
export function ProjectsPart({ mayCreate }: { readonly mayCreate: boolean }) {
  const { projects } = useSession();
  const current = useProject();
  const [renaming, setRenaming] = useState<OwnProject>();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <DataTable table={TABLE} rows={projects} context={{ currentId: current.id, rename: setRenaming }} />
      {mayCreate && (
        <Box>
          <Button variant="default" onClick={() => setIsCreating(true)}>
            Create a project
          </Button>
        </Box>
      )}
      <Modal
        opened={renaming !== undefined}
        onClose={() => setRenaming(undefined)}
        title={`Rename ${nameText(renaming?.name ?? "")}`}
      >
        {renaming !== undefined && <RenameForm project={renaming} onClose={() => setRenaming(undefined)} />}
      </Modal>
      <Modal opened={isCreating} onClose={() => setIsCreating(false)} title="Create a project">
        <CreateForm onClose={() => setIsCreating(false)} />
      </Modal>
    </>
  );
}

interface Context {
  readonly currentId: string;
  readonly rename: (project: OwnProject) => void;
}

const TABLE: TableDescription<OwnProject, Context> = {
  caption: "Projects",
  rowKey: ({ id }) => id,
  columns: [
    {
      heading: "Name",
      cell: ({ id, name }, { currentId }) => (
        <Group gap="xs" wrap="nowrap">
          <Anchor component={Link} to={`/projects/${id}/members`} fz="sm" fw={500}>
            <Name>{name}</Name>
          </Anchor>
          {id === currentId && (
            <Badge size="sm" variant="default">
              current
            </Badge>
          )}
        </Group>
      ),
    },
    { heading: "Your role", cell: ({ role }) => ROLE_CHOICES.find(({ value }) => value === role)?.label },
    {
      heading: "Actions",
      isAction: true,
      cell: (project, { rename }) =>
        mayAct(project, "project.change") && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => rename(project)}
            aria-label={`Rename ${nameText(project.name)}`}
          >
            Rename
          </Button>
        ),
    },
  ],
};

/** The session has the projects of the person who is signed in. */
const CHANGES = { changes: [trpc.session.current.pathFilter()] };

interface FormProps {
  readonly onClose: () => void;
}

function RenameForm({ project, onClose }: FormProps & { readonly project: OwnProject }) {
  const { form, state } = useOperationForm({
    initialValues: { name: project.name },
    operation: trpc.projects.rename.mutationOptions({ onSuccess: onClose, meta: CHANGES }),
    toInput: (values) => ({ projectId: project.id, ...values }),
  });
  return (
    <DialogForm action="Rename" onCancel={onClose} {...state}>
      <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
    </DialogForm>
  );
}

function CreateForm({ onClose }: FormProps) {
  const navigate = useNavigate();
  const { form, state } = useOperationForm({
    initialValues: { name: "" },
    operation: trpc.projects.create.mutationOptions({
      onSuccess: async ({ id }) => {
        await navigate(`/projects/${id}/members`);
        onClose();
      },
      meta: CHANGES,
    }),
    toInput: (values) => values,
  });
  return (
    <DialogForm action="Create" onCancel={onClose} {...state}>
      <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
    </DialogForm>
  );
}
