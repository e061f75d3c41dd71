import { Button, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "react-router";
import { trpc } from "../../../web/api/trpc.ts";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { enter } from "./enter.ts";
import { EntryFrame } from "./entry-frame.tsx";
import { useLinkSecret } from "./link-secret.ts";
import { checkPasswords, NewPasswordInputs } from "./new-password.tsx";

/** Makes the first account, through the link that the operator was shown. */
export function SetupPage() {
  const token = useLinkSecret();
  const navigate = useNavigate();
  const { form, state } = useOperationForm({
    initialValues: { email: "", password: "", repeated: "" },
    validate: checkPasswords,
    operation: trpc.setup.createOwner.mutationOptions({
      onSuccess: async () => {
        await enter();
        await navigate("/", { replace: true });
      },
    }),
    toInput: ({ email, password }) => ({ token, email, password }),
  });
  return (
    <EntryFrame
      title="Welcome to Attune"
      lead="Create the account that owns this service. You can invite others afterwards."
    >
      <form onSubmit={state.onSubmit}>
        <Stack>
          <TextInput
            label="Email address"
            type="email"
            autoComplete="username"
            required
            autoFocus
            key={form.key("email")}
            {...form.getInputProps("email")}
          />
          <NewPasswordInputs form={form} label="Password" />
          <ErrorNote error={state.error} />
          <Button type="submit" loading={state.isPending}>
            Create the account
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}
