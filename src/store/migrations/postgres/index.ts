// Written by scripts/make-migrations.ts.
import { Migration20261121030514_initial } from "./Migration20261121030514_initial.ts";
import { Migration20261121034321_stored_responses } from "./Migration20261121034321_stored_responses.ts";
import { Migration20261121230159_base_cost } from "./Migration20261121230159_base_cost.ts";
import { Migration20261121230941_dashboard } from "./Migration20261121230941_dashboard.ts";
import { Migration20261121231116_partitions_and_rollups } from "./Migration20261121231116_partitions_and_rollups.ts";
import { Migration20261122002030_months } from "./Migration20261122002030_months.ts";
import { Migration20261122022630_weeks } from "./Migration20261122022630_weeks.ts";
import { Migration20261122085414_retention_and_names } from "./Migration20261122085414_retention_and_names.ts";
import { Migration20261122085904_password_resets } from "./Migration20261122085904_password_resets.ts";
import { Migration20261122185743_attempts } from "./Migration20261122185743_attempts.ts";
import { Migration20261123013418_models_chosen } from "./Migration20261123013418_models_chosen.ts";
import { Migration20261123014213_background_inferences } from "./Migration20261123014213_background_inferences.ts";
import { Migration20261123015056_learning } from "./Migration20261123015056_learning.ts";
import { Migration20261123052801_workload_points } from "./Migration20261123052801_workload_points.ts";
import { Migration20261123060052_key_permissions } from "./Migration20261123060052_key_permissions.ts";
import { Migration20261123060530_audit } from "./Migration20261123060530_audit.ts";
import { Migration20261123060921_metric_settings } from "./Migration20261123060921_metric_settings.ts";
import { Migration20261123062402_optimizations } from "./Migration20261123062402_optimizations.ts";
import { Migration20261123122842_checked_retry } from "./Migration20261123122842_checked_retry.ts";

/** Migrations, oldest first. */
export const MIGRATIONS = [
  { name: "Migration20261121030514_initial", class: Migration20261121030514_initial },
  { name: "Migration20261121034321_stored_responses", class: Migration20261121034321_stored_responses },
  { name: "Migration20261121230159_base_cost", class: Migration20261121230159_base_cost },
  { name: "Migration20261121230941_dashboard", class: Migration20261121230941_dashboard },
  { name: "Migration20261121231116_partitions_and_rollups", class: Migration20261121231116_partitions_and_rollups },
  { name: "Migration20261122002030_months", class: Migration20261122002030_months },
  { name: "Migration20261122022630_weeks", class: Migration20261122022630_weeks },
  { name: "Migration20261122085414_retention_and_names", class: Migration20261122085414_retention_and_names },
  { name: "Migration20261122085904_password_resets", class: Migration20261122085904_password_resets },
  { name: "Migration20261122185743_attempts", class: Migration20261122185743_attempts },
  { name: "Migration20261123013418_models_chosen", class: Migration20261123013418_models_chosen },
  { name: "Migration20261123014213_background_inferences", class: Migration20261123014213_background_inferences },
  { name: "Migration20261123015056_learning", class: Migration20261123015056_learning },
  { name: "Migration20261123052801_workload_points", class: Migration20261123052801_workload_points },
  { name: "Migration20261123060052_key_permissions", class: Migration20261123060052_key_permissions },
  { name: "Migration20261123060530_audit", class: Migration20261123060530_audit },
  { name: "Migration20261123060921_metric_settings", class: Migration20261123060921_metric_settings },
  { name: "Migration20261123062402_optimizations", class: Migration20261123062402_optimizations },
  { name: "Migration20261123122842_checked_retry", class: Migration20261123122842_checked_retry },
];
