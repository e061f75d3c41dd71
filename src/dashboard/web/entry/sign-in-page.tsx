import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { SIGNED_OUT_KEY } from "../api/query-client.ts";
import { ErrorNote } from "../parts/error-note.tsx";
import { enter } from "./enter.ts";
import { EntryFrame } from "./entry-frame.tsx";

const ENDED = "Your session has ended: it expired, or it was signed out elsewhere.";

/** Asks for e-mail address and password. */
export function SignInPage({ needsOwner }: { readonly needsOwner: boolean }) {
  const form = useForm({ mode: "uncontrolled", initialValues: { email: "", password: "" } });
  const signIn = useMutation({
    mutationFn: (values: typeof form.values) => api.session.signIn.mutate(values),
    onSuccess: enter,
    meta: { showsError: true },
  });
  const hasEnded = useQueryClient().getQueryData(SIGNED_OUT_KEY) === true;
  if (needsOwner) {
    return (
      <EntryFrame
        title="No account yet"
        lead={
          "Make the first account through a link. Attune prints it at its first start on a terminal; the " +
          "command attune users create-owner prints a new one."
        }
      >
        {null}
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Sign in" lead={hasEnded ? ENDED : "To the dashboard of this Attune."}>
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
        <Stack>
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            required
            autoFocus
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          <ErrorNote error={signIn.error} />
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
          <Text fz="sm" c="dimmed">
            Forgot the password? An owner of your project can make a link for you to choose a new one.
          </Text>
        </Stack>
      </form>
    </EntryFrame>
  );
}
