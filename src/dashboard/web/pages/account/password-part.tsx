import { Box, Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { checkPasswords, PASSWORD_HINT } from "../../entry/new-password.ts";
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
    <Box className="attune-card" p="md" maw={460}>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            key={form.key("currentPassword")}
            {...form.getInputProps("currentPassword")}
          />
          <PasswordInput
            label="New password"
            description={PASSWORD_HINT}
            autoComplete="new-password"
            required
            key={form.key("password")}
            {...form.getInputProps("password")}
          />
          <PasswordInput
            label="New password again"
            autoComplete="new-password"
            required
            key={form.key("repeated")}
            {...form.getInputProps("repeated")}
          />
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
