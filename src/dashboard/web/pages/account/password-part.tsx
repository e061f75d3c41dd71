import { Box, Button, PasswordInput, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { trpc } from "../../api/trpc.ts";
import { checkPasswords, NewPasswordInputs } from "../../entry/new-password.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { useOperationForm } from "../../parts/use-operation-form.ts";

/** Changes the password; all other sessions end. */
export function PasswordPart() {
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
