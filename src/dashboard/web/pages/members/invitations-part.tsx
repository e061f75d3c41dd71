import { Box, Button, Group, Select, Stack, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatAgo } from "../../parts/format.ts";
import { ManagedBadge } from "../../parts/managed-badge.tsx";
import { mayAct, useProject } from "../../shell/session.ts";
import { NewLink } from "./new-link.tsx";
import { ROLE_CHOICES, type Role } from "./roles.ts";

type Invitation = Awaited<ReturnType<typeof api.members.invitations.query>>[number];

/** Invites people by a link that works once, and lists the invitations that wait. */
export function InvitationsPart() {
  const project = useProject();
  const projectId = project.id;
  const choices = ROLE_CHOICES.filter(({ value }) => value !== "owner" || mayAct(project, "owners.change"));
  const client = useQueryClient();
  const queryKey = ["invitations", projectId];
  const waiting = useQuery({ queryKey, queryFn: () => api.members.invitations.query({ projectId }) });
  const refresh = () => client.invalidateQueries({ queryKey });
  const form = useForm<{ email: string; role: Role }>({
    mode: "uncontrolled",
    initialValues: { email: "", role: "developer" },
  });
  const invite = useMutation({
    mutationFn: (values: { email: string; role: Role }) => api.members.invite.mutate({ projectId, ...values }),
    onSuccess: async () => {
      form.reset();
      await refresh();
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
    meta: { showsError: true },
  });
  const revoke = useMutation({
    mutationFn: (invitationId: string) => api.members.revokeInvitation.mutate({ projectId, invitationId }),
    onSettled: refresh,
  });
  return (
    <Box className="attune-card" p="md">
      <Stack>
        <Title order={3} size="h5">
          Invite someone
        </Title>
        <form onSubmit={form.onSubmit((values) => invite.mutate(values))}>
          <Group align="flex-start">
            <TextInput
              flex="1 1 220px"
              aria-label="E-mail address"
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
            <Button type="submit" loading={invite.isPending}>
              Make a link
            </Button>
          </Group>
        </form>
        <ErrorNote error={invite.error} />
        {invite.data !== undefined && invite.variables !== undefined && (
          <NewLink
            path="invitation"
            token={invite.data.token}
            email={invite.variables.email}
            until="within seven days"
          />
        )}
        {(waiting.data?.length ?? 0) > 0 && (
          <DataTable
            caption="Pending invitations"
            columns={columns((id) => revoke.mutate(id))}
            rows={waiting.data}
            keyOf={({ id }) => id}
          />
        )}
      </Stack>
    </Box>
  );
}

function columns(revoke: (id: string) => void): Column<Invitation>[] {
  return [
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
      cell: ({ id, email }) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => revoke(id)}
          aria-label={`Take back the invitation of ${email}`}
        >
          Take back
        </Button>
      ),
    },
  ];
}
