import { Box, Button, Grid, PasswordInput, Stack, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { trpc } from "../../../web/api/trpc.ts";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { Page } from "../../../web/shell/page.tsx";
import { useSession } from "../../../web/shell/session.ts";
import { checkPasswords, NewPasswordInputs } from "../../sign-in/web/new-password.tsx";
import { SessionsPart } from "./sessions-part.tsx";

/** The password and the sessions of who is signed in. */
export function AccountPage() {
  const { user } = useSession();
  return (
    <Page title="Account" lead={user.email}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <Title order={2} size="h4">
              Where you are signed in
            </Title>
            <SessionsPart />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <Title order={2} size="h4">
              Password
            </Title>
            <PasswordPart />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

/** Changes the password; all other sessions end. */
function PasswordPart() {
  const { form, state } = useOperationForm({
    initialValues: { currentPassword: "", password: "", repeated: "" },
    validate: checkPasswords,
    operation: trpc.session.changePassword.mutationOptions({
      onSuccess: ({ ended }) => {
        form.reset();
        const others = ended === 0 ? "" : `; ${ended} other ${ended === 1 ? "session has" : "sessions have"} ended`;
        notifications.show({ color: "teal", message: `Your password is changed${others}` });
      },
    }),
    toInput: ({ currentPassword, password }) => ({ currentPassword, newPassword: password }),
    toField: (path) => (path === "newPassword" ? "password" : path),
  });
  return (
    <Box className="attune-card" p="md">
      <form onSubmit={state.onSubmit}>
        <Stack>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            key={form.key("currentPassword")}
            {...form.getInputProps("currentPassword")}
          />
          <NewPasswordInputs form={form} label="New password" />
          <ErrorNote error={state.error} />
          <Box>
            <Button type="submit" loading={state.isPending}>
              Change the password
            </Button>
          </Box>
        </Stack>
      </form>
    </Box>
  );
}
