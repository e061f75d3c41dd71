import { Badge, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../web/api/client.ts";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { Confirm } from "../../../web/parts/confirm.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { DialogFooter, DialogForm } from "../../../web/parts/dialog-form.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatTime } from "../../../web/parts/format.ts";
import { ManagedBadge } from "../../../web/parts/managed-badge.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { mayAct, type OwnProject, useProject } from "../../../web/shell/session.ts";
import { NewLink } from "./new-link.tsx";
import { ROLE_CHOICES, type Role, readRole } from "./roles.ts";

/** Lists the members; owners and admins change roles and remove people, everyone may leave. */
export function MembersPart() {
  const project = useProject();
  const { id: projectId, name } = project;
  const members = useQuery(trpc.members.list.queryOptions({ projectId }));
  const [removing, setRemoving] = useState<Member>();
  const [resetting, setResetting] = useState<Member>();
  const meta = { changes: [trpc.members.list.pathFilter(), trpc.session.current.pathFilter()] };
  const setRole = useMutation(trpc.members.setRole.mutationOptions({ meta }));
  const remove = useMutation({
    mutationFn: ({ userId, isYou }: Member) =>
      isYou ? api.members.leave.mutate({ projectId }) : api.members.remove.mutate({ projectId, userId }),
    onSuccess: (_result, { email, isYou }) => {
      notifications.show({
        color: "teal",
        message: isYou ? `You left ${nameText(name)}` : `${email} is no longer a member`,
      });
    },
    onSettled: () => setRemoving(undefined),
    meta,
  });
  return (
    <>
      <ErrorNote error={members.error} onRetry={() => void members.refetch()} />
      <DataTable
        table={TABLE}
        rows={members.data}
        context={{
          project,
          setRole: (userId, role) => setRole.mutate({ projectId, userId, role }),
          reset: setResetting,
          remove: setRemoving,
        }}
      />
      <Confirm
        isOpen={removing !== undefined}
        title={removing?.isYou ? `Leave ${nameText(name)}?` : `Remove ${removing?.email ?? ""}?`}
        action={removing?.isYou ? "Leave the project" : "Remove the member"}
        isPending={remove.isPending}
        onConfirm={() => removing !== undefined && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      >
        {removing?.isYou ? "You" : "They"} no longer see {nameText(name)}. API keys go on working.
      </Confirm>
      <ResetPassword key={resetting?.userId ?? "none"} member={resetting} onClose={() => setResetting(undefined)} />
    </>
  );
}

interface Context {
  readonly project: OwnProject;
  readonly setRole: (userId: string, role: Role) => void;
  readonly reset: (member: Member) => void;
  readonly remove: (member: Member) => void;
}

/** Tells whether members with a role may be changed by who is signed in. */
function mayChange(project: OwnProject, role: Role): boolean {
  return mayAct(project, "members.change") && (role !== "owner" || mayAct(project, "owners.change"));
}

const TABLE: TableDescription<Member, Context> = {
  caption: "Members",
  rowKey: ({ userId }) => userId,
  columns: [
    {
      heading: "Email address",
      sortBy: ({ email }) => email,
      searchText: ({ email }) => email,
      cell: ({ email, isYou }) => (
        <Group gap="xs" wrap="nowrap">
          <Text fz="sm" fw={500}>
            {email}
          </Text>
          {isYou && (
            <Badge size="sm" variant="default">
              you
            </Badge>
          )}
          <ManagedBadge kind="member" name={email} />
        </Group>
      ),
    },
    {
      heading: "Role",
      cell: ({ email, userId, role, isByGroups }, { project, setRole }) =>
        mayChange(project, role) && !isByGroups ? (
          <Select
            size="xs"
            w={130}
            aria-label={`Role of ${email}`}
            data={ROLE_CHOICES.filter(({ value }) => mayChange(project, value))}
            value={role}
            allowDeselect={false}
            onChange={(value) => {
              const chosen = readRole(value);
              if (chosen !== undefined && chosen !== role) setRole(userId, chosen);
            }}
          />
        ) : (
          <Text fz="sm">
            {ROLE_CHOICES.find(({ value }) => value === role)?.label}
            {isByGroups && ", by groups of the sign-in provider"}
          </Text>
        ),
    },
    {
      heading: "Since",
      isMinor: true,
      sortBy: ({ since }) => new Date(since).getTime(),
      cell: ({ since }) => <Text fz="sm">{formatTime(since)}</Text>,
    },
    {
      heading: "Actions",
      isAction: true,
      cell: (member, { project, reset, remove }) =>
        (mayChange(project, member.role) || member.isYou) && (
          <Group gap="xs" justify="flex-end">
            {mayAct(project, "passwords.reset") && !member.isYou && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => reset(member)}
                aria-label={`Reset password of ${member.email}`}
              >
                Reset password
              </Button>
            )}
            <Button
              variant="default"
              size="compact-sm"
              disabled={member.isByGroups}
              onClick={() => remove(member)}
              aria-label={member.isYou ? "Leave the project" : `Remove ${member.email}`}
            >
              {member.isYou ? "Leave" : "Remove"}
            </Button>
          </Group>
        ),
    },
  ],
};

/** A member, as the page shows one. */
type Member = Outputs["members"]["list"][number];

interface Props {
  /** The member whose password is reset; the dialog is closed without one. */
  readonly member: Member | undefined;
  readonly onClose: () => void;
}

/** Makes the link through which a member chooses a new password, and shows it once. */
function ResetPassword({ member, onClose }: Props) {
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
          action="Create a link"
          onSubmit={() => member !== undefined && reset.mutate({ projectId, userId: member.userId })}
          onCancel={onClose}
          isPending={reset.isPending}
          error={reset.error}
        >
          <Text fz="sm">
            You get a link for choosing a new password. Nothing changes until they use it. Then all their sessions end.
            Anyone who has the link can take over the account, so send it only to them.
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
