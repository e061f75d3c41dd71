import { Box, Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { checkPasswords, NewPasswordInputs } from "../../entry/new-password.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";

/** Changes the password; all other sessions end. */
export function PasswordPart() {
  const client = useQueryClient();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { currentPassword: "", password: "", repeated: "" },
    validate: checkPasswords,
  });
  const change = useMutation({
    mutationFn: ({ currentPassword, password }: typeof form.values) =>
      api.session.changePassword.mutate({ currentPassword, newPassword: password }),
    onSuccess: async ({ ended }) => {
      form.reset();
      const others = ended === 0 ? "" : `; ${ended} other ${ended === 1 ? "session has" : "sessions have"} ended`;
      notifications.show({ color: "teal", message: `Your password is changed${others}` });
      await client.invalidateQueries({ queryKey: ["sessions"] });
    },
    onError: (error) => {
      const { newPassword, ...fields } = fieldErrors(error);
      form.setErrors(newPassword === undefined ? fields : { ...fields, password: newPassword });
    },
    meta: { showsError: true },
  });
  return (
    <Box className="attune-card" p="md">
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            key={form.key("currentPassword")}
            {...form.getInputProps("currentPassword")}
          />
          <NewPasswordInputs form={form} label="New password" />
          <ErrorNote error={change.error} />
          <Box>
            <Button type="submit" loading={change.isPending}>
              Change the password
            </Button>
          </Box>
        </Stack>
      </form>
    </Box>
  );
}
