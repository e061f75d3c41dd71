import { Box, Button, Group, Select, Stack, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo } from "../../../web/parts/format.ts";
import { ManagedBadge } from "../../../web/parts/managed-badge.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { NewLink } from "./new-link.tsx";
import { ROLE_CHOICES, type Role } from "./roles.ts";

type Invitation = Outputs["members"]["invitations"][number];

/** Invites people by a link that works once, and lists the invitations that wait. */
export function InvitationsPart() {
  const project = useProject();
  const projectId = project.id;
  const choices = ROLE_CHOICES.filter(({ value }) => value !== "owner" || mayAct(project, "owners.change"));
  const waiting = useQuery(trpc.members.invitations.queryOptions({ projectId }));
  const { form, operation, state } = useOperationForm({
    initialValues: { email: "", role: "developer" as Role },
    operation: trpc.members.invite.mutationOptions({
      onSuccess: () => {
        form.reset();
      },
    }),
    toInput: (values) => ({ projectId, ...values }),
  });
  const revoke = useMutation(trpc.members.revokeInvitation.mutationOptions());
  return (
    <Box className="attune-card" p="md">
      <Stack>
        <Title order={3} size="h5">
          Invite someone
        </Title>
        <form onSubmit={state.onSubmit}>
          <Group align="flex-start">
            <TextInput
              flex="1 1 220px"
              aria-label="Email address"
              placeholder="name@example.com"
              type="email"
              required
              key={form.key("email")}
              {...form.getInputProps("email")}
            />
            <Select
              w={130}
              aria-label="Role"
              data={choices}
              allowDeselect={false}
              key={form.key("role")}
              {...form.getInputProps("role")}
            />
            <Button type="submit" loading={state.isPending}>
              Create a link
            </Button>
          </Group>
        </form>
        <ErrorNote error={state.error} />
        {operation.data !== undefined && operation.variables !== undefined && (
          <NewLink
            path="invitation"
            token={operation.data.token}
            email={operation.variables.email}
            until="within seven days"
          />
        )}
        {(waiting.data?.length ?? 0) > 0 && (
          <DataTable
            table={TABLE}
            rows={waiting.data}
            context={{ revoke: (invitationId) => revoke.mutate({ projectId, invitationId }) }}
          />
        )}
      </Stack>
    </Box>
  );
}

const TABLE: TableDescription<Invitation, { readonly revoke: (id: string) => void }> = {
  caption: "Pending invitations",
  rowKey: ({ id }) => id,
  columns: [
    {
      heading: "Invited",
      cell: ({ email }) => (
        <Group gap="xs">
          {email}
          <ManagedBadge kind="member" name={email} />
        </Group>
      ),
    },
    { heading: "Role", cell: ({ role }) => ROLE_CHOICES.find(({ value }) => value === role)?.label },
    { heading: "Expires", cell: ({ expiresAt }) => formatAgo(expiresAt), isMinor: true },
    {
      heading: "Actions",
      isAction: true,
      cell: ({ id, email }, { revoke }) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => revoke(id)}
          aria-label={`Withdraw the invitation of ${email}`}
        >
          Withdraw
        </Button>
      ),
    },
  ],
};
