import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { SIGNED_OUT_KEY } from "../api/query-client.ts";
import { ErrorNote } from "../parts/error-note.tsx";
import { enter } from "./enter.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { ProviderButtons, type SignInWays } from "./provider-buttons.tsx";

const ENDED = "Your session has ended: it expired, or it was signed out elsewhere.";

/** Leads to the sign-in providers, and asks for e-mail address and password. */
export function SignInPage({ ways }: { readonly ways: SignInWays }) {
  const hasEnded = useQueryClient().getQueryData(SIGNED_OUT_KEY) === true;
  const [showsPassword, { open }] = useDisclosure(!ways.isPasswordOff);
  if (ways.needsOwner) {
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
      <Stack>
        <ProviderButtons
          providers={ways.providers}
          to={`${globalThis.location.pathname}${globalThis.location.search}`}
        />
        {ways.providers.length > 0 && showsPassword && <Divider label="or with a password" />}
        {showsPassword ? (
          <PasswordForm isFocused={ways.providers.length === 0} />
        ) : (
          <Anchor component="button" type="button" fz="sm" onClick={open}>
            Sign in with the password of the first owner
          </Anchor>
        )}
      </Stack>
    </EntryFrame>
  );
}

function PasswordForm({ isFocused }: { readonly isFocused: boolean }) {
  const form = useForm({ mode: "uncontrolled", initialValues: { email: "", password: "" } });
  const signIn = useMutation({
    mutationFn: (values: typeof form.values) => api.session.signIn.mutate(values),
    onSuccess: enter,
    meta: { showsError: true },
  });
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
      <Stack>
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          autoFocus={isFocused}
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
  );
}
