import type { DescField } from "@bufbuild/protobuf";
import { z } from "zod";
import { isUuid } from "../../lib/ids.ts";
import { fieldForm } from "../../lib/protobuf/field-form.ts";

/** An e-mail address. */
export const email = z
  .string("must be a text")
  .trim()
  .max(320, "must be shorter")
  .pipe(z.email("must be an e-mail address"));

const MIN_PASSWORD_LENGTH = 12;

/** A password that someone chooses. Length is what makes it hard to guess, so nothing else is asked of it. */
export const newPassword = z
  .string("must be a text")
  .min(MIN_PASSWORD_LENGTH, `must have ${MIN_PASSWORD_LENGTH} characters or more`)
  .max(256, "must have 256 characters or fewer")
  .refine((password) => new Set(password).size > 4, "must not be so uniform");

/** A password that someone gives. */
export const enteredPassword = z.string("must be a text").min(1, "must not be empty").max(256, "is too long");

/** The secret of a link. */
export const linkSecret = z.string("must be a text").min(1, "must not be empty").max(100, "is too long");

/** A whole number for a field of an operation, which has the bounds. */
export function wholeNumber(field: DescField) {
  return z.int32(fieldForm(field));
}

/** The id of something. The forms that no id here has, such as the nil UUID, are none. */
export const id = z.string("must be an id").refine(isUuid, "must be an id");

/**
 * A text of at most so many characters that stored texts are compared with; what neither engine can hold is refused.
 */
export function comparedText(maxLength: number) {
  return z
    .string("must be a text")
    .max(maxLength, `must have ${maxLength} characters or fewer`)
    .refine((text) => !text.includes("\0") && text.isWellFormed(), "must be Unicode text without NUL characters");
}
