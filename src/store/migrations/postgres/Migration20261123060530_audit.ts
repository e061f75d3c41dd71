import { Migration } from '@mikro-orm/migrations';

export class Migration20261123060530_audit extends Migration {

  override name = 'Migration20261123060530_audit';

  override up(): void | Promise<void> {
    this.addSql(`create table "deployment_audit" ("model" text not null, "upstream" text not null, "upstream_model" text not null, "version" int not null, "updated_at" timestamptz(3) not null, "standing" text not null, "state" text not null, primary key ("model", "upstream", "upstream_model"));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "deployment_audit" cascade;`);

    this.addSql(`-- WARNING: changing partitioning rebuilds the table by copying all rows into a new partitioned table under an exclusive lock.;`);
    this.addSql(`-- Review for data volume, locking and downtime before running.;`);
    this.addSql(`create schema if not exists "mikro_orm_partition_swap";`);
    this.addSql(`alter table "inference" set schema "mikro_orm_partition_swap";`);
    this.addSql(`create table "inference" ("id" uuid not null, "project_id" uuid not null, "key_id" text not null, "dialect" text not null, "streamed" bool not null, "model" text not null, "upstream" text not null, "upstream_model" text not null, "upstream_request_id" text not null, "workload" text not null, "status" text not null, "started_at" timestamptz(3) not null, "latency_ms" float8 not null, "time_to_first_token_ms" float8 null, "input_tokens" int4 null, "cache_read_tokens" int4 null, "cache_write_tokens" int4 null, "cache_write_5m_tokens" int4 null, "cache_write_1h_tokens" int4 null, "output_tokens" int4 null, "reasoning_tokens" int4 null, "cost_nanos" int8 null, "finish_reason" text null, "raw_finish_reason" text null, "error_reason" text null, "error_message" text null, "error_upstream_status" int4 null, "error_upstream_code" text null, "deviation" text not null, "optimizations" jsonb not null, "translation_losses" jsonb not null, "previous_id" uuid null, "stored" bool not null default false, "deleted_at" timestamptz(3) null, "base_cost_nanos" int8 null, "usage_estimated" bool not null default false, "cache_saved_nanos" int8 null, "served_model" text not null default '', "family" text not null default '', "decision" jsonb null, primary key ("id")) partition by range (id);`);
    this.addSql(`create index "inference_project_id_id_index" on "inference" ("project_id", "id");`);
    this.addSql(`create table "inference_20261123" partition of "inference" for values from ('01a205b3-d000-0000-0000-000000000000') to ('01a229c0-5400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_20261130" partition of "inference" for values from ('01a229c0-5400-0000-0000-000000000000') to ('01a24dcc-d800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_20261207" partition of "inference" for values from ('01a24dcc-d800-0000-0000-000000000000') to ('01a271d9-5c00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_20261214" partition of "inference" for values from ('01a271d9-5c00-0000-0000-000000000000') to ('01a295e5-e000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_20261221" partition of "inference" for values from ('01a295e5-e000-0000-0000-000000000000') to ('01a2b9f2-6400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_default" partition of "inference" default;`);
    this.addSql(`insert into "inference" ("id", "project_id", "key_id", "dialect", "streamed", "model", "upstream", "upstream_model", "upstream_request_id", "workload", "status", "started_at", "latency_ms", "time_to_first_token_ms", "input_tokens", "cache_read_tokens", "cache_write_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens", "output_tokens", "reasoning_tokens", "cost_nanos", "finish_reason", "raw_finish_reason", "error_reason", "error_message", "error_upstream_status", "error_upstream_code", "deviation", "optimizations", "translation_losses", "previous_id", "stored", "deleted_at", "base_cost_nanos", "usage_estimated", "cache_saved_nanos", "served_model", "family", "decision") select "id", "project_id", "key_id", "dialect", "streamed", "model", "upstream", "upstream_model", "upstream_request_id", "workload", "status", "started_at", "latency_ms", "time_to_first_token_ms", "input_tokens", "cache_read_tokens", "cache_write_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens", "output_tokens", "reasoning_tokens", "cost_nanos", "finish_reason", "raw_finish_reason", "error_reason", "error_message", "error_upstream_status", "error_upstream_code", "deviation", "optimizations", "translation_losses", "previous_id", "stored", "deleted_at", "base_cost_nanos", "usage_estimated", "cache_saved_nanos", "served_model", "family", "decision" from "mikro_orm_partition_swap"."inference";`);
    this.addSql(`alter table "inference_attempt" set schema "mikro_orm_partition_swap";`);
    this.addSql(`create table "inference_attempt" ("id" uuid not null, "position" int4 not null, "role" text not null, "outcome" text not null, "is_winner" bool not null, "upstream" text not null, "upstream_model" text not null, "upstream_request_id" text not null, "propensity" float8 not null, "started_after_ms" float8 not null, "first_event_ms" float8 null, "latency_ms" float8 not null, "input_tokens" int4 null, "cache_read_tokens" int4 null, "cache_write_tokens" int4 null, "cache_write_5m_tokens" int4 null, "cache_write_1h_tokens" int4 null, "output_tokens" int4 null, "reasoning_tokens" int4 null, "usage_estimated" bool not null, "cost_nanos" int8 null, "losses" jsonb not null, "error_reason" text null, "error_message" text null, "error_upstream_status" int4 null, "error_upstream_code" text null, primary key ("id", "position")) partition by range (id);`);
    this.addSql(`create table "inference_attempt_20261123" partition of "inference_attempt" for values from ('01a205b3-d000-0000-0000-000000000000') to ('01a229c0-5400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_attempt_20261130" partition of "inference_attempt" for values from ('01a229c0-5400-0000-0000-000000000000') to ('01a24dcc-d800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_attempt_20261207" partition of "inference_attempt" for values from ('01a24dcc-d800-0000-0000-000000000000') to ('01a271d9-5c00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_attempt_20261214" partition of "inference_attempt" for values from ('01a271d9-5c00-0000-0000-000000000000') to ('01a295e5-e000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_attempt_20261221" partition of "inference_attempt" for values from ('01a295e5-e000-0000-0000-000000000000') to ('01a2b9f2-6400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_attempt_default" partition of "inference_attempt" default;`);
    this.addSql(`insert into "inference_attempt" ("id", "position", "role", "outcome", "is_winner", "upstream", "upstream_model", "upstream_request_id", "propensity", "started_after_ms", "first_event_ms", "latency_ms", "input_tokens", "cache_read_tokens", "cache_write_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens", "output_tokens", "reasoning_tokens", "usage_estimated", "cost_nanos", "losses", "error_reason", "error_message", "error_upstream_status", "error_upstream_code") select "id", "position", "role", "outcome", "is_winner", "upstream", "upstream_model", "upstream_request_id", "propensity", "started_after_ms", "first_event_ms", "latency_ms", "input_tokens", "cache_read_tokens", "cache_write_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens", "output_tokens", "reasoning_tokens", "usage_estimated", "cost_nanos", "losses", "error_reason", "error_message", "error_upstream_status", "error_upstream_code" from "mikro_orm_partition_swap"."inference_attempt";`);
    this.addSql(`alter table "inference_body" set schema "mikro_orm_partition_swap";`);
    this.addSql(`create table "inference_body" ("id" uuid not null, "request" bytea not null, "response" bytea not null, primary key ("id")) partition by range (id);`);
    this.addSql(`create table "inference_body_20261123" partition of "inference_body" for values from ('01a205b3-d000-0000-0000-000000000000') to ('01a20ada-2c00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261124" partition of "inference_body" for values from ('01a20ada-2c00-0000-0000-000000000000') to ('01a21000-8800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261125" partition of "inference_body" for values from ('01a21000-8800-0000-0000-000000000000') to ('01a21526-e400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261126" partition of "inference_body" for values from ('01a21526-e400-0000-0000-000000000000') to ('01a21a4d-4000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261127" partition of "inference_body" for values from ('01a21a4d-4000-0000-0000-000000000000') to ('01a21f73-9c00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261128" partition of "inference_body" for values from ('01a21f73-9c00-0000-0000-000000000000') to ('01a22499-f800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261129" partition of "inference_body" for values from ('01a22499-f800-0000-0000-000000000000') to ('01a229c0-5400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261130" partition of "inference_body" for values from ('01a229c0-5400-0000-0000-000000000000') to ('01a22ee6-b000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261201" partition of "inference_body" for values from ('01a22ee6-b000-0000-0000-000000000000') to ('01a2340d-0c00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261202" partition of "inference_body" for values from ('01a2340d-0c00-0000-0000-000000000000') to ('01a23933-6800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261203" partition of "inference_body" for values from ('01a23933-6800-0000-0000-000000000000') to ('01a23e59-c400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261204" partition of "inference_body" for values from ('01a23e59-c400-0000-0000-000000000000') to ('01a24380-2000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261205" partition of "inference_body" for values from ('01a24380-2000-0000-0000-000000000000') to ('01a248a6-7c00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261206" partition of "inference_body" for values from ('01a248a6-7c00-0000-0000-000000000000') to ('01a24dcc-d800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261207" partition of "inference_body" for values from ('01a24dcc-d800-0000-0000-000000000000') to ('01a252f3-3400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261208" partition of "inference_body" for values from ('01a252f3-3400-0000-0000-000000000000') to ('01a25819-9000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261209" partition of "inference_body" for values from ('01a25819-9000-0000-0000-000000000000') to ('01a25d3f-ec00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261210" partition of "inference_body" for values from ('01a25d3f-ec00-0000-0000-000000000000') to ('01a26266-4800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261211" partition of "inference_body" for values from ('01a26266-4800-0000-0000-000000000000') to ('01a2678c-a400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261212" partition of "inference_body" for values from ('01a2678c-a400-0000-0000-000000000000') to ('01a26cb3-0000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261213" partition of "inference_body" for values from ('01a26cb3-0000-0000-0000-000000000000') to ('01a271d9-5c00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261214" partition of "inference_body" for values from ('01a271d9-5c00-0000-0000-000000000000') to ('01a276ff-b800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261215" partition of "inference_body" for values from ('01a276ff-b800-0000-0000-000000000000') to ('01a27c26-1400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261216" partition of "inference_body" for values from ('01a27c26-1400-0000-0000-000000000000') to ('01a2814c-7000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261217" partition of "inference_body" for values from ('01a2814c-7000-0000-0000-000000000000') to ('01a28672-cc00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261218" partition of "inference_body" for values from ('01a28672-cc00-0000-0000-000000000000') to ('01a28b99-2800-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261219" partition of "inference_body" for values from ('01a28b99-2800-0000-0000-000000000000') to ('01a290bf-8400-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261220" partition of "inference_body" for values from ('01a290bf-8400-0000-0000-000000000000') to ('01a295e5-e000-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_20261221" partition of "inference_body" for values from ('01a295e5-e000-0000-0000-000000000000') to ('01a29b0c-3c00-0000-0000-000000000000');`);
    this.addSql(`create table "inference_body_default" partition of "inference_body" default;`);
    this.addSql(`insert into "inference_body" ("id", "request", "response") select "id", "request", "response" from "mikro_orm_partition_swap"."inference_body";`);
    this.addSql(`drop schema if exists "mikro_orm_partition_swap" cascade;`);
  }

}
