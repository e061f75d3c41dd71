import { Button, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../../../web/api/client.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { enter } from "./enter.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkSecret } from "./link-secret.ts";
import { checkPasswords, NewPasswordInputs } from "./new-password.tsx";

/** Lets someone who forgot the password choose a new one, through the link of an owner. */
export function ResetPage() {
  const token = useLinkSecret();
  const opened = useQuery({
    queryKey: ["reset", token],
    queryFn: () => api.resets.open.mutate({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (opened.isPending) {
    return (
      <EntryFrame title="New password" lead="One moment.">
        <Skeleton h={120} />
      </EntryFrame>
    );
  }
  if (opened.isError) {
    return (
      <EntryFrame title="New password" lead="This link does not open.">
        <ErrorNote error={opened.error} onRetry={() => void opened.refetch()} />
      </EntryFrame>
    );
  }
  const { email } = opened.data;
  return (
    <EntryFrame
      title="New password"
      lead={`Choose a new password for ${email}. You are then signed out everywhere else.`}
    >
      <ResetForm email={email} token={token} />
    </EntryFrame>
  );
}

function ResetForm({ email, token }: { readonly email: string; readonly token: string }) {
  const navigate = useNavigate();
  const { form, state } = useOperationForm({
    initialValues: { password: "", repeated: "" },
    validate: checkPasswords,
    operation: trpc.resets.redeem.mutationOptions({
      // The link has done its work: it is not opened again.
      meta: { changes: [] },
      onSuccess: async () => {
        await enter();
        await navigate("/", { replace: true });
      },
    }),
    toInput: ({ password }) => ({ token, password }),
  });
  return (
    <form onSubmit={state.onSubmit}>
      <Stack>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <NewPasswordInputs form={form} label="New password" autoFocus />
        <ErrorNote error={state.error} />
        <Button type="submit" loading={state.isPending}>
          Change the password
        </Button>
      </Stack>
    </form>
  );
}
