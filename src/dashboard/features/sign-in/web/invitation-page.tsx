import { Button, Divider, PasswordInput, SegmentedControl, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../../web/api/client.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { DASHBOARD_PATH } from "../../../web/dashboard-path.ts";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { enter } from "./enter.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkSecret } from "./link-secret.ts";
import { checkPasswords, NewPasswordInputs } from "./new-password.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";

const MAY = {
  owner: "manage it",
  admin: "manage it",
  developer: "work with it",
  viewer: "look at it",
  billing: "see its figures",
};

const BY_PASSWORD = "Choose a password, or confirm with the one of your account.";
const BY_PROVIDER = "Sign in with this address to join.";

/** Takes an invitation: with the password of an account, or a new one, or through a provider that knows the address. */
export function InvitationPage() {
  const token = useLinkSecret();
  const opened = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => api.invitations.open.mutate({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const ways = useQuery(trpc.session.current.queryOptions());
  if (opened.isPending || ways.isPending) {
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
  // Somebody may be signed in here, maybe as somebody else: then the password tells.
  const { providers, isPasswordOff } = ways.data?.user === null ? ways.data : { providers: [], isPasswordOff: false };
  const hasPasswords = !isPasswordOff;
  return (
    <EntryFrame
      title={`Join ${nameText(projectName)}`}
      lead={`${email} is invited to ${MAY[role]}, as ${role}. ${hasPasswords ? BY_PASSWORD : BY_PROVIDER}`}
    >
      <Stack>
        <ProviderButtons providers={providers} to={`${DASHBOARD_PATH}/`} />
        {providers.length > 0 && hasPasswords && <Divider label="or with a password" />}
        {hasPasswords && <AcceptForm email={email} token={token} />}
      </Stack>
    </EntryFrame>
  );
}

/** Asks who is invited whether they have an account: the service does not tell whoever has the link. */
function AcceptForm({ email, token }: { readonly email: string; readonly token: string }) {
  const navigate = useNavigate();
  const [hasAccount, setHasAccount] = useState(false);
  const { form, state } = useOperationForm({
    initialValues: { password: "", repeated: "" },
    validate: (values) => (hasAccount ? {} : checkPasswords(values)),
    operation: trpc.invitations.accept.mutationOptions({
      // The link has done its work: it is not opened again.
      meta: { changes: [] },
      onSuccess: async ({ projectId }) => {
        await enter();
        await navigate(`/projects/${projectId}`, { replace: true });
      },
    }),
    toInput: ({ password }) => ({ token, password }),
  });
  return (
    <form onSubmit={state.onSubmit}>
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
        <ErrorNote error={state.error} />
        <Button type="submit" loading={state.isPending}>
          Join
        </Button>
      </Stack>
    </form>
  );
}
