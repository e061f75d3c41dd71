import { PasswordInput } from "@mantine/core";

const MIN_LENGTH = 12;

/** The rule for passwords; the server has the same. */
const PASSWORD_HINT = `${MIN_LENGTH} characters or more; a few words do well`;

/** A password, and the same typed again. */
interface NewPassword {
  readonly password: string;
  readonly repeated: string;
}

/** Checks a form with a new password. */
export function checkPasswords({ password, repeated }: NewPassword) {
  return {
    password: password.length < MIN_LENGTH ? `must have ${MIN_LENGTH} characters or more` : null,
    repeated: repeated === password ? null : "is not the same",
  };
}

interface Props {
  readonly form: {
    key(name: keyof NewPassword): string;
    getInputProps(name: keyof NewPassword): object;
  };
  readonly label: string;
  readonly autoFocus?: boolean;
}

/** The two inputs of a new password. */
export function NewPasswordInputs({ form, label, autoFocus = false }: Props) {
  return (
    <>
      <PasswordInput
        label={label}
        description={PASSWORD_HINT}
        autoComplete="new-password"
        required
        autoFocus={autoFocus}
        key={form.key("password")}
        {...form.getInputProps("password")}
      />
      <PasswordInput
        label={`${label} again`}
        autoComplete="new-password"
        required
        key={form.key("repeated")}
        {...form.getInputProps("repeated")}
      />
    </>
  );
}
