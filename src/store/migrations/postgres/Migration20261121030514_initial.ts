import { Migration } from '@mikro-orm/migrations';

export class Migration20261121030514_initial extends Migration {

  override name = 'Migration20261121030514_initial';

  override up(): void | Promise<void> {
    this.addSql(`create table "feedback_entry" ("id" uuid not null, "inference_id" uuid not null, "project_id" uuid not null, "key_id" text not null, "name" text not null, "kind" text not null, "boolean_value" boolean null, "float_value" double precision null, "text_value" text null, "tags" jsonb not null, "optimize" text null, "created_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`create index "feedback_entry_inference_id_index" on "feedback_entry" ("inference_id");`);
    this.addSql(`create index "feedback_entry_project_id_created_at_index" on "feedback_entry" ("project_id", "created_at");`);

    this.addSql(`create table "inference" ("id" uuid not null, "project_id" uuid not null, "key_id" text not null, "dialect" text not null, "streamed" boolean not null, "model" text not null, "upstream" text not null, "upstream_model" text not null, "upstream_request_id" text not null, "workload" text not null, "status" text not null, "started_at" timestamptz(3) not null, "latency_ms" double precision not null, "time_to_first_token_ms" double precision null, "input_tokens" int null, "cache_read_tokens" int null, "cache_write_tokens" int null, "cache_write_5m_tokens" int null, "cache_write_1h_tokens" int null, "output_tokens" int null, "reasoning_tokens" int null, "cost_nanos" bigint null, "finish_reason" text null, "raw_finish_reason" text null, "error_reason" text null, "error_message" text null, "error_upstream_status" int null, "error_upstream_code" text null, "deviation" text not null, "optimizations" jsonb not null, "translation_losses" jsonb not null, primary key ("id"));`);
    this.addSql(`create index "inference_project_id_started_at_id_index" on "inference" ("project_id", "started_at", "id");`);

    this.addSql(`create table "inference_body" ("id" uuid not null, "request" bytea not null, "response" bytea not null, primary key ("id"));`);

    this.addSql(`create table "project" ("id" uuid not null, "name" varchar(255) not null, "created_at" timestamptz(3) not null, primary key ("id"));`);
    this.addSql(`alter table "project" add constraint "project_name_unique" unique ("name");`);

    this.addSql(`create table "api_key" ("id" uuid not null, "project_id" uuid not null, "public_id" varchar(12) not null, "hash" varchar(64) not null, "name" text not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`alter table "api_key" add constraint "api_key_public_id_unique" unique ("public_id");`);
    this.addSql(`alter table "api_key" add constraint "api_key_hash_unique" unique ("hash");`);

    this.addSql(`alter table "api_key" add constraint "api_key_project_id_foreign" foreign key ("project_id") references "project" ("id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "api_key" drop constraint "api_key_project_id_foreign";`);

    this.addSql(`drop table if exists "feedback_entry" cascade;`);
    this.addSql(`drop table if exists "inference" cascade;`);
    this.addSql(`drop table if exists "inference_body" cascade;`);
    this.addSql(`drop table if exists "project" cascade;`);
    this.addSql(`drop table if exists "api_key" cascade;`);
  }

}
