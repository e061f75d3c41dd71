import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { SIGNED_OUT_KEY, trpc } from "../../../web/api/trpc.ts";
import { CodeBlock } from "../../../web/parts/code-block.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { enter } from "./enter.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { ProviderButtons, type SignInWays } from "./provider-buttons.tsx";

const ENDED = "Your session has ended: it expired, or it was signed out elsewhere.";

/** Leads to the sign-in providers, and asks for e-mail address and password. */
export function SignInPage({ ways }: { readonly ways: SignInWays }) {
  const hasEnded = useQueryClient().getQueryData(SIGNED_OUT_KEY) === true;
  const [showsPassword, { open }] = useDisclosure(!ways.isPasswordOff);
  if (ways.ownerCommand !== null) {
    return (
      <EntryFrame
        title="No account yet"
        lead="Attune prints a link to create the first account when it starts in a terminal. For a new link, run this where Attune runs:"
      >
        <CodeBlock code={ways.ownerCommand} what="the command" isWrapped />
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
  const { form, state } = useOperationForm({
    initialValues: { email: "", password: "" },
    // All that was read is forgotten before the session is.
    operation: trpc.session.signIn.mutationOptions({ onSuccess: enter, meta: { changes: [] } }),
    toInput: (values) => values,
  });
  return (
    <form onSubmit={state.onSubmit}>
      <Stack>
        <TextInput
          label="Email address"
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
        <ErrorNote error={state.error} />
        <Button type="submit" loading={state.isPending}>
          Sign in
        </Button>
        <Text fz="sm" c="dimmed">
          Forgot the password? An owner of your project can make a link for you to choose a new one.
        </Text>
      </Stack>
    </form>
  );
}
