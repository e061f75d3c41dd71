import { Anchor, Badge, Box, Button, Group, Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { SESSION_KEY } from "../../api/query-client.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Name } from "../../parts/name.tsx";
import { nameText } from "../../parts/name-text.ts";
import { mayAct, type OwnProject, useProject, useSession } from "../../shell/session.ts";
import { ROLE_CHOICES } from "./roles.ts";

/** Lists the projects of who is signed in; owners rename them and make new ones. */
export function ProjectsPart({ mayCreate }: { readonly mayCreate: boolean }) {
  const { projects } = useSession();
  const current = useProject();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [renaming, setRenaming] = useState<OwnProject>();
  const [isCreating, setIsCreating] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: SESSION_KEY });
  const create = async (name: string) => {
    const project = await api.projects.create.mutate({ name });
    await refresh();
    await navigate(`/projects/${project.id}/members`);
  };
  const rename = async (name: string) => {
    if (renaming !== undefined) await api.projects.rename.mutate({ projectId: renaming.id, name });
    await refresh();
  };
  return (
    <>
      <DataTable caption="Projects" columns={columns(current.id, setRenaming)} rows={projects} keyOf={({ id }) => id} />
      {mayCreate && (
        <Box>
          <Button variant="default" onClick={() => setIsCreating(true)}>
            Create a project
          </Button>
        </Box>
      )}
      <NameDialog
        key={renaming?.id ?? "none"}
        isOpen={renaming !== undefined}
        title={`Rename ${nameText(renaming?.name ?? "")}`}
        action="Rename"
        initial={renaming?.name ?? ""}
        onSave={rename}
        onClose={() => setRenaming(undefined)}
      />
      <NameDialog
        isOpen={isCreating}
        title="Create a project"
        action="Create"
        initial=""
        onSave={create}
        onClose={() => setIsCreating(false)}
      />
    </>
  );
}

function columns(currentId: string, rename: (project: OwnProject) => void): Column<OwnProject>[] {
  return [
    {
      heading: "Name",
      cell: ({ id, name }) => (
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
      cell: (project) =>
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
  ];
}

interface NameDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly action: string;
  readonly initial: string;
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

function NameDialog({ isOpen, title, action, initial, onSave, onClose }: NameDialogProps) {
  const form = useForm({ mode: "uncontrolled", initialValues: { name: initial } });
  const close = () => {
    form.reset();
    save.reset();
    onClose();
  };
  const save = useMutation({
    mutationFn: onSave,
    onSuccess: close,
    onError: (error) => form.setErrors(fieldErrors(error)),
    meta: { showsError: true },
  });
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      <DialogForm
        action={action}
        onSubmit={form.onSubmit(({ name }) => save.mutate(name))}
        onCancel={close}
        isPending={save.isPending}
        error={save.error}
      >
        <TextInput label="Name" required data-autofocus key={form.key("name")} {...form.getInputProps("name")} />
      </DialogForm>
    </Modal>
  );
}
