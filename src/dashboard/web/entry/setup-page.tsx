import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../api/client.ts";
import { fieldErrors } from "../api/errors.ts";
import { ErrorNote } from "../parts/error-note.tsx";
import { enter } from "./enter.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkSecret } from "./link-secret.ts";
import { checkPasswords, NewPasswordInputs } from "./new-password.tsx";

/** Makes the first account, through the link that the operator was shown. */
export function SetupPage() {
  const token = useLinkSecret();
  const navigate = useNavigate();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "", password: "", repeated: "" },
    validate: checkPasswords,
  });
  const create = useMutation({
    mutationFn: ({ email, password }: typeof form.values) => api.setup.createOwner.mutate({ token, email, password }),
    onSuccess: async () => {
      await enter();
      await navigate("/", { replace: true });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
    meta: { showsError: true },
  });
  return (
    <EntryFrame
      title="Welcome to Attune"
      lead="Make the account that owns this service. You can invite others afterwards."
    >
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
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
          <NewPasswordInputs form={form} label="Password" />
          <ErrorNote error={create.error} />
          <Button type="submit" loading={create.isPending}>
            Make the account
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}
