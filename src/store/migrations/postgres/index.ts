// Written by scripts/make-migrations.ts.
import { Migration20261121030514_initial } from "./Migration20261121030514_initial.ts";
import { Migration20261121034321_stored_responses } from "./Migration20261121034321_stored_responses.ts";

/** Migrations, oldest first. */
export const MIGRATIONS = [
  { name: "Migration20261121030514_initial", class: Migration20261121030514_initial },
  { name: "Migration20261121034321_stored_responses", class: Migration20261121034321_stored_responses },
];
