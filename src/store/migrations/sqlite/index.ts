// Written by scripts/make-migrations.ts.
import { Migration20261124000000_initial } from "./Migration20261124000000_initial.ts";

/** Migrations, oldest first. */
export const MIGRATIONS = [
  { name: "Migration20261124000000_initial", class: Migration20261124000000_initial },
];
