const MIN_LENGTH = 12;

/** What a password has to have; the server says the same. */
export const PASSWORD_HINT = `${MIN_LENGTH} characters or more; a few words do well`;

/** Checks a form with a new password, which is typed twice. */
export function checkPasswords({ password, repeated }: { readonly password: string; readonly repeated: string }) {
  return {
    password: password.length < MIN_LENGTH ? `must have ${MIN_LENGTH} characters or more` : null,
    repeated: repeated === password ? null : "is not the same",
  };
}
