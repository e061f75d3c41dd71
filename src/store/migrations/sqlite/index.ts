// Written by scripts/make-migrations.ts.
import { Migration20261123000000_initial } from "./Migration20261123000000_initial.ts";

/** Migrations, oldest first. */
export const MIGRATIONS = [
  { name: "Migration20261123000000_initial", class: Migration20261123000000_initial },
];
