import { Button, PasswordInput, SegmentedControl, Skeleton, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../api/client.ts";
import { ErrorNote } from "../parts/error-note.tsx";
import { nameText } from "../parts/name-text.ts";
import { enter } from "./enter.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkSecret } from "./link-secret.ts";
import { checkPasswords, NewPasswordInputs } from "./new-password.tsx";

const MAY = {
  owner: "manage it",
  admin: "manage it",
  developer: "work with it",
  viewer: "look at it",
  billing: "see its figures",
};

/** Takes an invitation: with the password of an account, or a new one. */
export function InvitationPage() {
  const token = useLinkSecret();
  const navigate = useNavigate();
  const opened = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => api.invitations.open.mutate({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const accept = useMutation({
    mutationFn: (password: string) => api.invitations.accept.mutate({ token, password }),
    onSuccess: async ({ projectId }) => {
      await enter();
      await navigate(`/projects/${projectId}`, { replace: true });
    },
    meta: { showsError: true },
  });
  if (opened.isPending) {
    return (
      <EntryFrame title="Invitation" lead="One moment.">
        <Skeleton h={120} />
      </EntryFrame>
    );
  }
  if (opened.isError) {
    return (
      <EntryFrame title="Invitation" lead="This link does not open.">
        <ErrorNote error={opened.error} />
      </EntryFrame>
    );
  }
  const { email, role, projectName } = opened.data;
  return (
    <EntryFrame
      title={`Join ${nameText(projectName)}`}
      lead={
        `${email} is invited to ${MAY[role]}, as ${role}. Choose a password, or confirm with the one of your ` +
        "account."
      }
    >
      <AcceptForm email={email} isPending={accept.isPending} error={accept.error} onAccept={accept.mutate} />
    </EntryFrame>
  );
}

interface FormProps {
  readonly email: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onAccept: (password: string) => void;
}

/** Asks who is invited whether they have an account: the service does not tell whoever has the link. */
function AcceptForm({ email, isPending, error, onAccept }: FormProps) {
  const [hasAccount, setHasAccount] = useState(false);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { password: "", repeated: "" },
    validate: (values) => (hasAccount ? {} : checkPasswords(values)),
  });
  return (
    <form onSubmit={form.onSubmit(({ password }) => onAccept(password))}>
      <Stack>
        <SegmentedControl
          aria-label="Account"
          data={[
            { value: "new", label: "I am new here" },
            { value: "known", label: "I have an account" },
          ]}
          value={hasAccount ? "known" : "new"}
          onChange={(value) => setHasAccount(value === "known")}
        />
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {hasAccount ? (
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            autoFocus
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
        ) : (
          <NewPasswordInputs form={form} label="Password" autoFocus />
        )}
        <ErrorNote error={error} />
        <Button type="submit" loading={isPending}>
          Join
        </Button>
      </Stack>
    </form>
  );
}
