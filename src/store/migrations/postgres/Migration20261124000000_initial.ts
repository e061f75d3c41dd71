import { Migration } from '@mikro-orm/migrations';

// Longer than 300 lines: a table is a statement, and the first migration has them all.
export class Migration20261124000000_initial extends Migration {

  override name = 'Migration20261124000000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create table "conversation" ("id" uuid not null, "project_id" uuid not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "metadata" jsonb not null, "next_position" int not null, "items" int not null, "bytes" int not null, primary key ("id"));`);
    this.addSql(`create index "conversation_project_id_id_index" on "conversation" ("project_id", "id");`);
    this.addSql(`create index "conversation_updated_at_index" on "conversation" ("updated_at");`);

    this.addSql(`create table "conversation_item" ("conversation_id" uuid not null, "position" int not null, "id" uuid not null, "message" bytea not null, primary key ("conversation_id", "position"));`);

    this.addSql(`create table "background_inference" ("id" uuid not null, "project_id" uuid not null, "key_id" text not null, "model" text not null, "streamed" boolean not null, "started_at" timestamptz(3) not null, "beat_at" timestamptz(3) not null, "previous_id" uuid null, "cancel_requested" boolean not null default false, "request" bytea not null, primary key ("id"));`);
    this.addSql(`create table "idempotent_call" ("id" uuid not null, "project_id" uuid not null, "key" text not null, "body_hash" text not null, "owner" uuid not null, "beat_at" timestamptz(3) not null, "state" text not null, "answer" bytea null, "error_message" text null, "error_detail" bytea null, primary key ("id"));`);
    this.addSql(`create index "idempotent_call_owner_index" on "idempotent_call" ("owner") where state = 'answering';`);
    this.addSql(`alter table "idempotent_call" add constraint "idempotent_call_project_id_key_unique" unique ("project_id", "key");`);

    this.addSql(`create table "quota_window" ("name" text not null, "ends_at" bigint null, "leased" bigint not null, primary key ("name"));`);
    this.addSql(`create index "quota_window_ends_at_index" on "quota_window" ("ends_at");`);
    this.addSql(`create table "quota_lease" ("process" uuid not null, "name" text not null, "ends_at" bigint null, "free" bigint not null, "lost" bigint not null, primary key ("process", "name"));`);
    this.addSql(`create index "quota_lease_name_index" on "quota_lease" ("name");`);
    this.addSql(`create index "quota_lease_ends_at_index" on "quota_lease" ("ends_at");`);
    this.addSql(`create table "quota_process" ("process" uuid not null, "seen_at" timestamptz(3) not null, primary key ("process"));`);
    this.addSql(`create table "managed_item" ("project_id" text not null, "kind" text not null, "name" text not null, "since" timestamptz(3) not null, primary key ("project_id", "kind", "name"));`);
    this.addSql(`create table "quota" ("kind" text not null, "project_id" text not null, "name" text not null, "settings" jsonb not null, "updated_at" timestamptz(3) not null, primary key ("kind", "project_id", "name"));`);
    this.addSql(`create index "quota_updated_at_index" on "quota" ("updated_at");`);

    this.addSql(`create table "refusal_hour" ("project_id" text not null, "period" int not null, "reason" text not null, "key_id" text not null, "calls" bigint not null, "first_ms" bigint not null, "last_ms" bigint not null, primary key ("project_id", "period", "reason", "key_id"));`);
    this.addSql(`create table "refusal_minute" ("project_id" text not null, "period" int not null, "reason" text not null, "key_id" text not null, "calls" bigint not null, "first_ms" bigint not null, "last_ms" bigint not null, primary key ("project_id", "period", "reason", "key_id"));`);

    this.addSql(`create table "refused_call" ("id" uuid not null, "project_id" text not null, "reason" text not null, "key_id" text not null, "at" timestamptz(3) not null, "call" text not null, "message" text not null, primary key ("id"));`);
    this.addSql(`create index "refused_call_project_id_reason_id_index" on "refused_call" ("project_id", "reason", "id");`);

    this.addSql(`create table "shadow_trial" ("id" uuid not null, "inference_id" uuid not null, "project_id" uuid not null, "model" text not null, "family" text not null, "kind" text not null, "served_model" text not null, "trial_model" text null, "served_good" boolean null, "trial_good" boolean null, "reward" double precision null, "input_tokens" int not null, "output_tokens" int not null, "cost_nanos" bigint null, "started_at" timestamptz(3) not null, "outcome" text not null, primary key ("id"));`);
    this.addSql(`create index "shadow_trial_project_id_id_index" on "shadow_trial" ("project_id", "id");`);
    this.addSql(`create index "shadow_trial_inference_id_index" on "shadow_trial" ("inference_id");`);

    this.addSql(`create table "shadow_pair" ("id" uuid not null, "inference_id" uuid not null, "project_id" uuid not null, "model" text not null, "answer" bytea not null, primary key ("id"));`);
    this.addSql(`create index "shadow_pair_project_id_model_id_index" on "shadow_pair" ("project_id", "model", "id");`);
    this.addSql(`create index "shadow_pair_inference_id_index" on "shadow_pair" ("inference_id");`);

    this.addSql(`create table "shadow_day" ("day" int not null, "budget" text not null, "spent_nanos" bigint not null, primary key ("day", "budget"));`);

    this.addSql(`create table "end_user_deletion" ("id" uuid not null, "project_id" uuid not null, "end_user_id" text not null, "actor_kind" text not null, "actor_id" text not null, "actor_label" text not null, "via" text not null, "requested_at" timestamptz(3) not null, "state" text not null, "beat_at" timestamptz(3) not null, "inferences" int not null, "feedback" int not null, "conversations" int not null, primary key ("id"));`);
    this.addSql(`create index "end_user_deletion_project_id_id_index" on "end_user_deletion" ("project_id", "id");`);

    this.addSql(`create table "project_deletion" ("project_id" uuid not null, "name" text not null, "actor_kind" text not null, "actor_id" text not null, "actor_label" text not null, "via" text not null, "requested_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, "state" text not null, "beat_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, "inferences" bigint not null, "feedback" bigint not null, "conversations" bigint not null, primary key ("project_id"));`);
    this.addSql(`create index "project_deletion_state_index" on "project_deletion" ("state");`);

    this.addSql(`create table "alert_lease" ("id" int not null, "process" uuid not null, "ends_at" timestamptz(3) not null, "audit_sequence" bigint not null, primary key ("id"));`);
    this.addSql(`create table "alert_rule" ("project_id" uuid not null, "name" text not null, "kind" text not null, "threshold" double precision not null, "window_minutes" int not null, "min_calls" int not null, "is_enabled" boolean not null, "updated_at" timestamptz(3) not null, primary key ("project_id", "name"));`);
    this.addSql(`create table "alert_destination" ("id" uuid not null, "project_id" uuid not null, "name" text not null, "kind" text not null, "target" text not null, "created_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`create index "alert_destination_project_id_index" on "alert_destination" ("project_id");`);
    this.addSql(`create table "alert" ("id" uuid not null, "project_id" text not null, "rule" text not null, "kind" text not null, "subject" text not null, "summary" text not null, "value" double precision not null, "threshold" double precision not null, "opened_at" timestamptz(3) not null, "seen_at" timestamptz(3) not null, "closed_at" timestamptz(3) null, "open_key" text null, "is_untold" boolean not null, primary key ("id"));`);
    this.addSql(`create index "alert_project_id_id_index" on "alert" ("project_id", "id");`);
    this.addSql(`create index "alert_closed_at_index" on "alert" ("closed_at");`);
    this.addSql(`alter table "alert" add constraint "alert_open_key_unique" unique ("open_key");`);
    this.addSql(`create table "alert_signal" ("process" uuid not null, "name" text not null, "kind" text not null, "subject" text not null, "project_id" text not null, "value" double precision not null, "expires_at" timestamptz(3) not null, primary key ("process", "name"));`);
    this.addSql(`create index "alert_signal_expires_at_index" on "alert_signal" ("expires_at");`);
    this.addSql(`create table "alert_delivery" ("id" uuid not null, "project_id" text not null, "destination" text not null, "type" text not null, "body" text not null, "state" text not null, "attempts" int not null, "next_at" timestamptz(3) not null, "status" int null, "problem" text null, "created_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "alert_delivery_state_next_at_index" on "alert_delivery" ("state", "next_at");`);
    this.addSql(`create index "alert_delivery_project_id_id_index" on "alert_delivery" ("project_id", "id");`);

    this.addSql(`create table "audit_chain" ("id" int not null, "sequence" bigint not null, "hash" text not null, "anchor_sequence" bigint not null, "anchor_hash" text not null, primary key ("id"));`);

    this.addSql(`create table "audit_entry" ("sequence" bigint not null, "at" timestamptz(3) not null, "actor_kind" text not null, "actor_id" text not null, "actor_label" text not null, "via" text not null, "address" text null, "request_id" text null, "project_id" text null, "action" text not null, "target_kind" text not null, "target_id" text not null, "target_name" text not null, "before" text null, "after" text null, "hash" text not null, primary key ("sequence"));`);
    this.addSql(`create index "audit_entry_project_id_sequence_index" on "audit_entry" ("project_id", "sequence");`);

    this.addSql(`create table "deployment_audit" ("model" text not null, "upstream" text not null, "upstream_model" text not null, "updated_at" timestamptz(3) not null, "standing" text not null, "state" text not null, primary key ("model", "upstream", "upstream_model"));`);

    this.addSql(`create table "feedback_day" ("project_id" uuid not null, "period" int not null, "model" text not null, "served_model" text not null, "workload" text not null, "name" text not null, "kind" text not null, "call_key_id" text not null, "entries" bigint not null, "sum" double precision not null, "sum_of_squares" double precision not null, "true_entries" bigint not null, "maximised" bigint not null, "minimised" bigint not null, "least_value" double precision null, "greatest_value" double precision null, primary key ("project_id", "period", "model", "served_model", "workload", "name", "kind", "call_key_id"));`);

    this.addSql(`create table "feedback_entry" ("id" uuid not null, "inference_id" uuid not null, "attempt" int null, "project_id" uuid not null, "key_id" text not null, "name" text not null, "kind" text not null, "boolean_value" boolean null, "float_value" double precision null, "text_value" text null, "tags" jsonb not null, "optimize" text null, "created_at" timestamptz(3) not null, "model" text not null default '', "served_model" text not null default '', "workload" text not null default '', "session_id" text null, primary key ("id"));`);
    this.addSql(`create index "feedback_entry_inference_id_id_index" on "feedback_entry" ("inference_id", "id");`);
    this.addSql(`create index "feedback_entry_project_id_id_index" on "feedback_entry" ("project_id", "id");`);
    this.addSql(`create index "feedback_entry_project_id_session_id_id_index" on "feedback_entry" ("project_id", "session_id", "id") where session_id is not null;`);
    this.addSql(`create index "feedback_entry_metric_index" on "feedback_entry" ("project_id", "name", "inference_id", "float_value", "boolean_value", "attempt");`);

    this.addSql(`create table "feedback_fact_day" ("project_id" uuid not null, "period" int not null, "kind" varchar(10) not null, "key_id" text not null, "name" text not null, "entries" bigint not null, "booleans" bigint not null, "true_entries" bigint not null, primary key ("project_id", "period", "kind", "key_id", "name"));`);

    this.addSql(`create table "feedback_fact_four_weeks" ("project_id" uuid not null, "period" int not null, "kind" varchar(10) not null, "key_id" text not null, "name" text not null, "entries" bigint not null, "booleans" bigint not null, "true_entries" bigint not null, primary key ("project_id", "period", "kind", "key_id", "name"));`);

    this.addSql(`create table "feedback_fact_week" ("project_id" uuid not null, "period" int not null, "kind" varchar(10) not null, "key_id" text not null, "name" text not null, "entries" bigint not null, "booleans" bigint not null, "true_entries" bigint not null, primary key ("project_id", "period", "kind", "key_id", "name"));`);

    this.addSql(`create table "feedback_hour" ("project_id" uuid not null, "period" int not null, "model" text not null, "served_model" text not null, "workload" text not null, "name" text not null, "kind" text not null, "call_key_id" text not null, "entries" bigint not null, "sum" double precision not null, "sum_of_squares" double precision not null, "true_entries" bigint not null, "maximised" bigint not null, "minimised" bigint not null, primary key ("project_id", "period", "model", "served_model", "workload", "name", "kind", "call_key_id"));`);

    this.addSql(`create table "feedback_tag" ("project_id" uuid not null, "key" text not null, "value" text not null, "inference_id" uuid not null, "feedback_id" uuid not null, primary key ("project_id", "key", "value", "inference_id", "feedback_id"));`);
    this.addSql(`create index "feedback_tag_feedback_id_index" on "feedback_tag" ("feedback_id");`);

    this.addSql(`create table "inference" ("id" uuid not null, "project_id" uuid not null, "key_id" text not null, "dialect" text not null, "streamed" boolean not null, "model" text not null, "upstream" text not null, "upstream_model" text not null, "upstream_request_id" text not null, "workload" text not null, "served_model" text not null default '', "family" text not null default '', "decision" jsonb null, "status" text not null, "started_at" timestamptz(3) not null, "latency_ms" double precision not null, "time_to_first_token_ms" double precision null, "input_tokens" int null, "cache_read_tokens" int null, "cache_write_tokens" int null, "cache_write_5m_tokens" int null, "cache_write_1h_tokens" int null, "output_tokens" int null, "reasoning_tokens" int null, "usage_estimated" boolean not null default false, "cost_nanos" bigint null, "base_cost_nanos" bigint null, "saved" jsonb null, "cache_saved_nanos" bigint null, "finish_reason" text null, "raw_finish_reason" text null, "error_reason" text null, "error_message" text null, "error_upstream_status" int null, "error_upstream_code" text null, "deviation" text not null, "optimizations" jsonb not null, "translation_losses" jsonb not null, "previous_id" uuid null, "stored" boolean not null default false, "coalescing_key" text null, "session_id" text null, "session_source" text null, "parent_session_id" text null, "end_user_id" text null, "tags" jsonb null, "request_id" text null, "deleted_at" timestamptz(3) null, primary key ("id")) partition by range ("id");`);
    this.addSql(partitions("inference", WEEKS));
    this.addSql(`create index "inference_project_id_id_index" on "inference" ("project_id", "id");`);
    this.addSql(`create index "inference_coalescing_key_id_index" on "inference" ("coalescing_key", "id") where coalescing_key is not null;`);
    this.addSql(`create index "inference_project_id_session_id_id_index" on "inference" ("project_id", "session_id", "id") where session_id is not null;`);
    this.addSql(`create index "inference_project_id_parent_session_id_id_index" on "inference" ("project_id", "parent_session_id", "id") where parent_session_id is not null;`);
    this.addSql(`create index "inference_project_id_request_id_id_index" on "inference" ("project_id", "request_id", "id") where request_id is not null;`);
    this.addSql(`create index "inference_project_id_end_user_id_id_index" on "inference" ("project_id", "end_user_id", "id") where end_user_id is not null;`);

    this.addSql(`create table "inference_attempt" ("id" uuid not null, "position" int not null, "role" text not null, "outcome" text not null, "is_winner" boolean not null, "upstream" text not null, "upstream_model" text not null, "upstream_request_id" text not null, "propensity" double precision not null, "started_after_ms" double precision not null, "first_event_ms" double precision null, "latency_ms" double precision not null, "input_tokens" int null, "cache_read_tokens" int null, "cache_write_tokens" int null, "cache_write_5m_tokens" int null, "cache_write_1h_tokens" int null, "output_tokens" int null, "reasoning_tokens" int null, "usage_estimated" boolean not null, "cost_nanos" bigint null, "losses" jsonb not null, "failed_checks" jsonb null, "score" double precision null, "candidate_reason" text null, "ranking" jsonb null, "error_reason" text null, "error_message" text null, "error_upstream_status" int null, "error_upstream_code" text null, primary key ("id", "position")) partition by range ("id");`);
    this.addSql(partitions("inference_attempt", WEEKS));

    this.addSql(`create table "inference_tag" ("id" uuid not null, "name" text not null, "value" text not null, "project_id" uuid not null, primary key ("id", "name")) partition by range ("id");`);
    this.addSql(partitions("inference_tag", WEEKS));
    this.addSql(`create index "inference_tag_project_id_name_value_id_index" on "inference_tag" ("project_id", "name", "value", "id");`);

    this.addSql(`create table "inference_body" ("id" uuid not null, "project_id" uuid not null, "prompt" text not null default '', "answer" text not null default '', "request" bytea not null, "response" bytea not null, primary key ("id")) partition by range ("id");`);
    this.addSql(partitions("inference_body", DAYS));
    this.addSql(`create index "inference_body_first_words_index" on "inference_body" ("project_id", "id", "prompt", "answer");`);

    this.addSql(`create table "workload_state" ("project_id" uuid not null, "model" text not null, "version" int not null, "updated_at" timestamptz(3) not null, "rewards" double precision not null, "snapshot" text null, primary key ("project_id", "model"));`);

    this.addSql(`create table "learning_batch" ("id" uuid not null, "due_at" timestamptz(3) not null, "size" int not null, "events" text not null, primary key ("id"));`);

    this.addSql(`create table "learning_mark" ("id" int not null, "generation" int not null, "paused_until" timestamptz(3) null, primary key ("id"));`);

    this.addSql(`create table "project" ("id" uuid not null, "name" varchar(255) not null, "created_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "project" add constraint "project_name_unique" unique ("name");`);

    this.addSql(`create table "invitation" ("id" uuid not null, "project_id" uuid not null, "email" varchar(320) not null, "role" text not null, "token_hash" varchar(64) not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`alter table "invitation" add constraint "invitation_token_hash_unique" unique ("token_hash");`);
    this.addSql(`alter table "invitation" add constraint "invitation_project_id_email_unique" unique ("project_id", "email");`);

    this.addSql(`create table "api_key" ("id" uuid not null, "project_id" uuid not null, "public_id" varchar(12) not null, "hash" varchar(64) not null, "previous_hash" varchar(64) null, "previous_expires_at" timestamptz(3) null, "name" text not null, "permissions" jsonb null, "tags" jsonb null, "created_by" uuid null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "api_key" add constraint "api_key_public_id_unique" unique ("public_id");`);
    this.addSql(`alter table "api_key" add constraint "api_key_hash_unique" unique ("hash");`);
    this.addSql(`alter table "api_key" add constraint "api_key_previous_hash_unique" unique ("previous_hash");`);

    this.addSql(`create table "admin_key" ("id" uuid not null, "project_id" uuid null, "public_id" varchar(12) not null, "hash" varchar(64) not null, "name" text not null, "scopes" jsonb not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "admin_key" add constraint "admin_key_public_id_unique" unique ("public_id");`);
    this.addSql(`alter table "admin_key" add constraint "admin_key_hash_unique" unique ("hash");`);

    this.addSql(`create table "saved_view" ("id" uuid not null, "project_id" uuid not null, "name" text not null, "search" text not null, "created_by" text not null, "created_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`alter table "saved_view" add constraint "saved_view_project_id_name_unique" unique ("project_id", "name");`);

    this.addSql(`create table "dataset" ("id" uuid not null, "project_id" uuid not null, "name" text not null, "created_by" text not null, "created_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`alter table "dataset" add constraint "dataset_project_id_name_unique" unique ("project_id", "name");`);

    this.addSql(`create table "dataset_row" ("dataset_id" uuid not null, "inference_id" uuid not null, primary key ("dataset_id", "inference_id"));`);

    this.addSql(`create table "dataset_run" ("id" uuid not null, "dataset_id" uuid not null, "project_id" uuid not null, "first_model" text not null, "second_model" text not null, "requests" int not null, "estimated_nanos" bigint null, "state" text not null, "cancel_requested" boolean not null, "created_by" text not null, "created_at" timestamptz(3) not null, "beat_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "dataset_run_dataset_id_id_index" on "dataset_run" ("dataset_id", "id");`);

    this.addSql(`create table "dataset_answer" ("id" uuid not null, "run_id" uuid not null, "inference_id" uuid not null, "side" int not null, "outcome" text not null, "problem" text null, "input_tokens" int not null, "output_tokens" int not null, "cost_nanos" bigint null, "grade_nanos" bigint null, "latency_ms" double precision null, "failed_checks" text null, "is_good" boolean null, primary key ("id"));`);
    this.addSql(`create index "dataset_answer_run_id_inference_id_index" on "dataset_answer" ("run_id", "inference_id");`);
    this.addSql(`create index "dataset_answer_inference_id_index" on "dataset_answer" ("inference_id");`);

    this.addSql(`create table "dataset_answer_text" ("id" uuid not null, "inference_id" uuid not null, "text" text not null, primary key ("id"));`);
    this.addSql(`create index "dataset_answer_text_inference_id_index" on "dataset_answer_text" ("inference_id");`);

    this.addSql(`create table "project_settings" ("project_id" uuid not null, "bodies" text not null, "optimizations_off" jsonb null, "aliases" jsonb null, "updated_at" timestamptz(3) not null, primary key ("project_id"));`);

    this.addSql(`create table "retention_mark" ("kind" varchar(20) not null, "retention_days" int not null, "deleted_before" timestamptz(3) not null, "confirmed_before" timestamptz(3) null, "ran_at" timestamptz(3) not null, primary key ("kind"));`);

    this.addSql(`create table "rollup_name" ("project_id" uuid not null, "kind" varchar(10) not null, "name" text not null, primary key ("project_id", "kind", "name"));`);

    this.addSql(`create table "setup_link" ("id" int not null, "token_hash" varchar(64) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`);

    this.addSql(`create table "sign_in_attempt" ("id" varchar(64) not null, "attempts" int not null, "expires_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`create index "sign_in_attempt_expires_at_index" on "sign_in_attempt" ("expires_at");`);

    this.addSql(`create table "usage_day" ("project_id" uuid not null, "period" int not null, "key_id" text not null, "model" text not null, "served_model" text not null, "upstream" text not null, "upstream_model" text not null, "workload" text not null, "status" text not null, "error_reason" text not null, "calls" bigint not null, "streamed_calls" bigint not null, "routed_calls" bigint not null, "input_tokens" bigint not null, "cache_read_tokens" bigint not null, "cache_write_tokens" bigint not null, "output_tokens" bigint not null, "reasoning_tokens" bigint not null, "estimated_calls" bigint not null, "priced_calls" bigint not null, "cost_nanos" bigint not null, "base_cost_nanos" bigint not null, "cache_saved_nanos" bigint not null default '0', "saved_cache_marks_nanos" bigint not null default '0', "saved_coalescing_nanos" bigint not null default '0', "saved_response_cache_nanos" bigint not null default '0', "saved_choice_nanos" bigint not null default '0', "saved_routing_nanos" bigint not null default '0', "saved_failover_nanos" bigint not null default '0', "saved_hedging_nanos" bigint not null default '0', "saved_retry_nanos" bigint not null default '0', "saved_candidates_nanos" bigint not null default '0', "latency_micros" bigint not null, "latencies" text not null, "first_token_calls" bigint not null, "first_token_micros" bigint not null, "first_tokens" text not null, primary key ("project_id", "period", "key_id", "model", "served_model", "upstream", "upstream_model", "workload", "status", "error_reason"));`);

    this.addSql(`create table "usage_hour" ("project_id" uuid not null, "period" int not null, "key_id" text not null, "model" text not null, "served_model" text not null, "upstream" text not null, "upstream_model" text not null, "workload" text not null, "status" text not null, "error_reason" text not null, "calls" bigint not null, "streamed_calls" bigint not null, "routed_calls" bigint not null, "input_tokens" bigint not null, "cache_read_tokens" bigint not null, "cache_write_tokens" bigint not null, "output_tokens" bigint not null, "reasoning_tokens" bigint not null, "estimated_calls" bigint not null, "priced_calls" bigint not null, "cost_nanos" bigint not null, "base_cost_nanos" bigint not null, "cache_saved_nanos" bigint not null default '0', "saved_cache_marks_nanos" bigint not null default '0', "saved_coalescing_nanos" bigint not null default '0', "saved_response_cache_nanos" bigint not null default '0', "saved_choice_nanos" bigint not null default '0', "saved_routing_nanos" bigint not null default '0', "saved_failover_nanos" bigint not null default '0', "saved_hedging_nanos" bigint not null default '0', "saved_retry_nanos" bigint not null default '0', "saved_candidates_nanos" bigint not null default '0', "latency_micros" bigint not null, "latencies" text not null, "first_token_calls" bigint not null, "first_token_micros" bigint not null, "first_tokens" text not null, primary key ("project_id", "period", "key_id", "model", "served_model", "upstream", "upstream_model", "workload", "status", "error_reason"));`);
    this.addSql(`create table "usage_fact_day" ("project_id" uuid not null, "period" int not null, "kind" varchar(10) not null, "key_id" text not null, "name" text not null, "status" text not null, "calls" bigint not null, "input_tokens" bigint not null, "cache_read_tokens" bigint not null, "cache_write_tokens" bigint not null, "output_tokens" bigint not null, "reasoning_tokens" bigint not null, "estimated_calls" bigint not null, "priced_calls" bigint not null, "cost_nanos" bigint not null, "latencies" text not null, primary key ("project_id", "period", "kind", "key_id", "name", "status"));`);

    this.addSql(`create table "usage_fact_four_weeks" ("project_id" uuid not null, "period" int not null, "kind" varchar(10) not null, "key_id" text not null, "name" text not null, "failed_calls" bigint not null, "calls" bigint not null, "input_tokens" bigint not null, "cache_read_tokens" bigint not null, "cache_write_tokens" bigint not null, "output_tokens" bigint not null, "reasoning_tokens" bigint not null, "estimated_calls" bigint not null, "priced_calls" bigint not null, "cost_nanos" bigint not null, "latencies" text not null, primary key ("project_id", "period", "kind", "key_id", "name"));`);

    this.addSql(`create table "usage_fact_week" ("project_id" uuid not null, "period" int not null, "kind" varchar(10) not null, "key_id" text not null, "name" text not null, "failed_calls" bigint not null, "calls" bigint not null, "input_tokens" bigint not null, "cache_read_tokens" bigint not null, "cache_write_tokens" bigint not null, "output_tokens" bigint not null, "reasoning_tokens" bigint not null, "estimated_calls" bigint not null, "priced_calls" bigint not null, "cost_nanos" bigint not null, "latencies" text not null, primary key ("project_id", "period", "kind", "key_id", "name"));`);

    this.addSql(`create table "usage_week" ("project_id" uuid not null, "period" int not null, "key_id" text not null, "model" text not null, "served_model" text not null, "upstream" text not null, "upstream_model" text not null, "workload" text not null, "status" text not null, "error_reason" text not null, "calls" bigint not null, "streamed_calls" bigint not null, "routed_calls" bigint not null, "input_tokens" bigint not null, "cache_read_tokens" bigint not null, "cache_write_tokens" bigint not null, "output_tokens" bigint not null, "reasoning_tokens" bigint not null, "estimated_calls" bigint not null, "priced_calls" bigint not null, "cost_nanos" bigint not null, "base_cost_nanos" bigint not null, "cache_saved_nanos" bigint not null default '0', "saved_cache_marks_nanos" bigint not null default '0', "saved_coalescing_nanos" bigint not null default '0', "saved_response_cache_nanos" bigint not null default '0', "saved_choice_nanos" bigint not null default '0', "saved_routing_nanos" bigint not null default '0', "saved_failover_nanos" bigint not null default '0', "saved_hedging_nanos" bigint not null default '0', "saved_retry_nanos" bigint not null default '0', "saved_candidates_nanos" bigint not null default '0', "latency_micros" bigint not null, "latencies" text not null, "first_token_calls" bigint not null, "first_token_micros" bigint not null, "first_tokens" text not null, primary key ("project_id", "period", "key_id", "model", "served_model", "upstream", "upstream_model", "workload", "status", "error_reason"));`);

    this.addSql(`create table "user_account" ("id" uuid not null, "email" varchar(320) not null, "password_hash" text null, "is_first_owner" boolean null, "created_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`create table "user_identity" ("issuer" text not null, "subject" text not null, "user_id" uuid not null, "created_at" timestamptz(3) not null, primary key ("issuer", "subject"));`);
    this.addSql(`create index "user_identity_user_id_index" on "user_identity" ("user_id");`);
    this.addSql(`alter table "user_account" add constraint "user_account_email_unique" unique ("email");`);

    this.addSql(`create table "password_reset" ("user_id" uuid not null, "token_hash" varchar(64) not null, "made_by" uuid null, "expires_at" timestamptz(3) not null, primary key ("user_id"));`);
    this.addSql(`alter table "password_reset" add constraint "password_reset_token_hash_unique" unique ("token_hash");`);

    this.addSql(`create table "membership" ("user_id" uuid not null, "project_id" uuid not null, "role" text not null, "granted_by" text null, "created_at" timestamptz(3) not null, primary key ("user_id", "project_id"));`);
    this.addSql(`create index "membership_project_id_index" on "membership" ("project_id");`);

    this.addSql(`create table "dashboard_session" ("id" uuid not null, "user_id" uuid not null, "token_hash" varchar(64) not null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "address" text not null, "user_agent" text not null, "issuer" text null, "subject" text null, "provider_session" text null, "refresh_token" text null, "checked_at" timestamptz(3) null, "refreshing_until" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "dashboard_session" add constraint "dashboard_session_token_hash_unique" unique ("token_hash");`);
    this.addSql(`create index "dashboard_session_user_id_index" on "dashboard_session" ("user_id");`);
    this.addSql(`create index "dashboard_session_issuer_subject_index" on "dashboard_session" ("issuer", "subject");`);

    this.addSql(`create table "workload_control" ("project_id" uuid not null, "model" text not null, "mode" text null, "hold" text null, "pinned" text null, "excluded" jsonb null, "objective" text null, "reward_per_price" double precision null, "feedback" text null, "metrics" jsonb null, "unit" text null, "shadow_share" double precision null, "shadow_judge" text null, "shadow_usd_per_day" double precision null, "shadow_rubric" text null, "updated_at" timestamptz(3) not null, primary key ("project_id", "model"));`);

    this.addSql(`create table "workload_event" ("id" uuid not null, "project_id" uuid not null, "model" text not null, "at" timestamptz(3) not null, "kind" text not null, "detail" jsonb not null, primary key ("id"));`);
    this.addSql(`create index "workload_event_project_id_model_id_index" on "workload_event" ("project_id", "model", "id");`);

    this.addSql(`create table "workload_point" ("project_id" uuid not null, "model" text not null, "step_minutes" int not null, "slot" int not null, "figures" text not null, primary key ("project_id", "model", "step_minutes", "slot"));`);

    this.addSql(`alter table "invitation" add constraint "invitation_project_id_foreign" foreign key ("project_id") references "project" ("id") on delete cascade;`);

    this.addSql(`alter table "api_key" add constraint "api_key_project_id_foreign" foreign key ("project_id") references "project" ("id");`);

    this.addSql(`alter table "admin_key" add constraint "admin_key_project_id_foreign" foreign key ("project_id") references "project" ("id") on delete cascade;`);

    this.addSql(`alter table "saved_view" add constraint "saved_view_project_id_foreign" foreign key ("project_id") references "project" ("id") on delete cascade;`);
    this.addSql(`alter table "dataset" add constraint "dataset_project_id_foreign" foreign key ("project_id") references "project" ("id") on delete cascade;`);
    this.addSql(`alter table "dataset_row" add constraint "dataset_row_dataset_id_foreign" foreign key ("dataset_id") references "dataset" ("id") on delete cascade;`);
    this.addSql(`alter table "dataset_run" add constraint "dataset_run_dataset_id_foreign" foreign key ("dataset_id") references "dataset" ("id") on delete cascade;`);
    this.addSql(`alter table "dataset_answer" add constraint "dataset_answer_run_id_foreign" foreign key ("run_id") references "dataset_run" ("id") on delete cascade;`);
    this.addSql(`alter table "dataset_answer_text" add constraint "dataset_answer_text_id_foreign" foreign key ("id") references "dataset_answer" ("id") on update cascade on delete cascade;`);
    this.addSql(`alter table "project_settings" add constraint "project_settings_project_id_foreign" foreign key ("project_id") references "project" ("id") on update cascade on delete cascade;`);

    this.addSql(`alter table "password_reset" add constraint "password_reset_user_id_foreign" foreign key ("user_id") references "user_account" ("id") on update cascade on delete cascade;`);
    this.addSql(`alter table "password_reset" add constraint "password_reset_made_by_foreign" foreign key ("made_by") references "user_account" ("id") on delete cascade;`);

    this.addSql(`alter table "membership" add constraint "membership_user_id_foreign" foreign key ("user_id") references "user_account" ("id") on update cascade on delete cascade;`);
    this.addSql(`alter table "membership" add constraint "membership_project_id_foreign" foreign key ("project_id") references "project" ("id") on update cascade on delete cascade;`);

    this.addSql(`alter table "user_identity" add constraint "user_identity_user_id_foreign" foreign key ("user_id") references "user_account" ("id") on delete cascade;`);
    this.addSql(`alter table "dashboard_session" add constraint "dashboard_session_user_id_foreign" foreign key ("user_id") references "user_account" ("id") on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "conversation" cascade;`);
    this.addSql(`drop table if exists "conversation_item" cascade;`);
    this.addSql(`alter table "invitation" drop constraint "invitation_project_id_foreign";`);
    this.addSql(`alter table "api_key" drop constraint "api_key_project_id_foreign";`);
    this.addSql(`alter table "admin_key" drop constraint "admin_key_project_id_foreign";`);
    this.addSql(`alter table "saved_view" drop constraint "saved_view_project_id_foreign";`);
    this.addSql(`alter table "dataset" drop constraint "dataset_project_id_foreign";`);
    this.addSql(`alter table "dataset_row" drop constraint "dataset_row_dataset_id_foreign";`);
    this.addSql(`alter table "dataset_run" drop constraint "dataset_run_dataset_id_foreign";`);
    this.addSql(`alter table "dataset_answer" drop constraint "dataset_answer_run_id_foreign";`);
    this.addSql(`alter table "dataset_answer_text" drop constraint "dataset_answer_text_id_foreign";`);
    this.addSql(`alter table "project_settings" drop constraint "project_settings_project_id_foreign";`);
    this.addSql(`alter table "membership" drop constraint "membership_project_id_foreign";`);
    this.addSql(`alter table "password_reset" drop constraint "password_reset_user_id_foreign";`);
    this.addSql(`alter table "password_reset" drop constraint "password_reset_made_by_foreign";`);
    this.addSql(`alter table "membership" drop constraint "membership_user_id_foreign";`);
    this.addSql(`alter table "user_identity" drop constraint "user_identity_user_id_foreign";`);
    this.addSql(`alter table "dashboard_session" drop constraint "dashboard_session_user_id_foreign";`);

    this.addSql(`drop table if exists "background_inference" cascade;`);
    this.addSql(`drop table if exists "quota_window" cascade;`);
    this.addSql(`drop table if exists "quota_lease" cascade;`);
    this.addSql(`drop table if exists "quota_process" cascade;`);
    this.addSql(`drop table if exists "quota" cascade;`);
    this.addSql(`drop table if exists "managed_item" cascade;`);
    this.addSql(`drop table if exists "refusal_hour" cascade;`);
    this.addSql(`drop table if exists "refusal_minute" cascade;`);
    this.addSql(`drop table if exists "refused_call" cascade;`);
    this.addSql(`drop table if exists "idempotent_call" cascade;`);
    this.addSql(`drop table if exists "deployment_audit" cascade;`);
    this.addSql(`drop table if exists "shadow_trial" cascade;`);
    this.addSql(`drop table if exists "shadow_pair" cascade;`);
    this.addSql(`drop table if exists "shadow_day" cascade;`);
    this.addSql(`drop table if exists "end_user_deletion" cascade;`);
    this.addSql(`drop table if exists "project_deletion" cascade;`);
    this.addSql(`drop table if exists "alert_lease" cascade;`);
    this.addSql(`drop table if exists "alert_rule" cascade;`);
    this.addSql(`drop table if exists "alert_destination" cascade;`);
    this.addSql(`drop table if exists "alert" cascade;`);
    this.addSql(`drop table if exists "alert_signal" cascade;`);
    this.addSql(`drop table if exists "alert_delivery" cascade;`);
    this.addSql(`drop table if exists "audit_chain" cascade;`);
    this.addSql(`drop table if exists "audit_entry" cascade;`);
    this.addSql(`drop table if exists "feedback_day" cascade;`);
    this.addSql(`drop table if exists "feedback_entry" cascade;`);
    this.addSql(`drop table if exists "feedback_fact_week" cascade;`);
    this.addSql(`drop table if exists "feedback_fact_four_weeks" cascade;`);
    this.addSql(`drop table if exists "feedback_fact_day" cascade;`);
    this.addSql(`drop table if exists "feedback_hour" cascade;`);
    this.addSql(`drop table if exists "feedback_tag" cascade;`);
    this.addSql(`drop table if exists "inference" cascade;`);
    this.addSql(`drop table if exists "inference_attempt" cascade;`);
    this.addSql(`drop table if exists "inference_tag" cascade;`);
    this.addSql(`drop table if exists "inference_body" cascade;`);
    this.addSql(`drop table if exists "workload_state" cascade;`);
    this.addSql(`drop table if exists "learning_batch" cascade;`);
    this.addSql(`drop table if exists "learning_mark" cascade;`);
    this.addSql(`drop table if exists "project" cascade;`);
    this.addSql(`drop table if exists "invitation" cascade;`);
    this.addSql(`drop table if exists "api_key" cascade;`);
    this.addSql(`drop table if exists "admin_key" cascade;`);
    this.addSql(`drop table if exists "saved_view" cascade;`);
    this.addSql(`drop table if exists "dataset_answer_text" cascade;`);
    this.addSql(`drop table if exists "dataset_answer" cascade;`);
    this.addSql(`drop table if exists "dataset_run" cascade;`);
    this.addSql(`drop table if exists "dataset_row" cascade;`);
    this.addSql(`drop table if exists "dataset" cascade;`);
    this.addSql(`drop table if exists "project_settings" cascade;`);
    this.addSql(`drop table if exists "retention_mark" cascade;`);
    this.addSql(`drop table if exists "rollup_name" cascade;`);
    this.addSql(`drop table if exists "setup_link" cascade;`);
    this.addSql(`drop table if exists "sign_in_attempt" cascade;`);
    this.addSql(`drop table if exists "usage_day" cascade;`);
    this.addSql(`drop table if exists "usage_fact_week" cascade;`);
    this.addSql(`drop table if exists "usage_fact_four_weeks" cascade;`);
    this.addSql(`drop table if exists "usage_fact_day" cascade;`);
    this.addSql(`drop table if exists "usage_hour" cascade;`);
    this.addSql(`drop table if exists "usage_week" cascade;`);
    this.addSql(`drop table if exists "user_account" cascade;`);
    this.addSql(`drop table if exists "user_identity" cascade;`);
    this.addSql(`drop table if exists "password_reset" cascade;`);
    this.addSql(`drop table if exists "membership" cascade;`);
    this.addSql(`drop table if exists "dashboard_session" cascade;`);
    this.addSql(`drop table if exists "workload_control" cascade;`);
    this.addSql(`drop table if exists "workload_event" cascade;`);
    this.addSql(`drop table if exists "workload_point" cascade;`);
  }

}

/** Weeks begin on Mondays: the first Monday after 1970 began is its fifth day. */
const WEEKS = { daysEach: 7, firstDay: 4, ahead: 4 };
const DAYS = { daysEach: 1, firstDay: 0, ahead: 28 };

/** Partitions of the present time and of that ahead, as src/store/partitions makes the later ones, and one for what is in none of them. */
function partitions(table: string, { daysEach, firstDay, ahead }: typeof WEEKS): string {
  return `do $$
declare
  day constant bigint := 86400000;
  now_days constant bigint := floor(extract(epoch from now()) / 86400);
  first_start constant bigint := (now_days - ${firstDay}) / ${daysEach} * ${daysEach} + ${firstDay};
  start bigint;
  hex text;
  bounds uuid[];
begin
  create table "${table}_default" partition of "${table}" default;
  for i in 0..${ahead + 1} loop
    hex := lpad(to_hex((first_start + i * ${daysEach}) * day), 12, '0');
    bounds := bounds || (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-0000-0000-000000000000')::uuid;
  end loop;
  for i in 0..${ahead} loop
    start := first_start + i * ${daysEach};
    execute format('create table %I partition of "${table}" for values from (%L) to (%L)',
      '${table}_' || to_char(to_timestamp(start * 86400) at time zone 'UTC', 'YYYYMMDD'), bounds[i + 1], bounds[i + 2]);
  end loop;
end $$;`;
}
