import { z } from "zod";

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
export const givenPassword = z.string("must be a text").min(1, "must not be empty").max(256, "is too long");

/** The secret of a link. */
export const linkSecret = z.string("must be a text").min(1, "must not be empty").max(100, "is too long");

/** A name for people. */
export const displayName = z
  .string("must be a text")
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have 100 characters or fewer")
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), "must not have control characters");

/** The id of something. */
export const id = z.uuid("must be an id");
