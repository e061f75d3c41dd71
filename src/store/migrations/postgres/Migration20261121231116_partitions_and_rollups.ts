import { Migration } from '@mikro-orm/migrations';

export class Migration20261121231116_partitions_and_rollups extends Migration {

  override name = 'Migration20261121231116_partitions_and_rollups';

  override up(): void | Promise<void> {
    this.addSql(`create table "feedback_day" ("project_id" uuid not null, "period" int not null, "model" text not null, "workload" text not null, "name" text not null, "kind" text not null, "entries" bigint not null, "sum" double precision not null, "sum_of_squares" double precision not null, "true_entries" bigint not null, "maximised" bigint not null, "minimised" bigint not null, primary key ("project_id", "period", "model", "workload", "name", "kind"));`);

    this.addSql(`create table "feedback_hour" ("project_id" uuid not null, "period" int not null, "model" text not null, "workload" text not null, "name" text not null, "kind" text not null, "entries" bigint not null, "sum" double precision not null, "sum_of_squares" double precision not null, "true_entries" bigint not null, "maximised" bigint not null, "minimised" bigint not null, primary key ("project_id", "period", "model", "workload", "name", "kind"));`);

    this.addSql(`create table "feedback_tag" ("project_id" uuid not null, "key" text not null, "value" text not null, "inference_id" uuid not null, "feedback_id" uuid not null, primary key ("project_id", "key", "value", "inference_id", "feedback_id"));`);
    this.addSql(`create index "feedback_tag_feedback_id_index" on "feedback_tag" ("feedback_id");`);
    this.addSql(`insert into "feedback_tag" ("project_id", "key", "value", "inference_id", "feedback_id") select "project_id", tag.key, tag.value, "inference_id", "id" from "feedback_entry", jsonb_each_text("tags") as tag (key, value) where length(tag.key) <= 200 and length(tag.value) <= 200;`);

    this.addSql(`create table "usage_day" ("project_id" uuid not null, "period" int not null, "key_id" text not null, "model" text not null, "upstream" text not null, "upstream_model" text not null, "workload" text not null, "status" text not null, "error_reason" text not null, "calls" bigint not null, "streamed_calls" bigint not null, "routed_calls" bigint not null, "input_tokens" bigint not null, "cache_read_tokens" bigint not null, "cache_write_tokens" bigint not null, "output_tokens" bigint not null, "reasoning_tokens" bigint not null, "priced_calls" bigint not null, "cost_nanos" bigint not null, "base_cost_nanos" bigint not null, "latency_micros" bigint not null, "latencies" text not null, "first_token_calls" bigint not null, "first_token_micros" bigint not null, "first_tokens" text not null, primary key ("project_id", "period", "key_id", "model", "upstream", "upstream_model", "workload", "status", "error_reason"));`);

    this.addSql(`create table "usage_hour" ("project_id" uuid not null, "period" int not null, "key_id" text not null, "model" text not null, "upstream" text not null, "upstream_model" text not null, "workload" text not null, "status" text not null, "error_reason" text not null, "calls" bigint not null, "streamed_calls" bigint not null, "routed_calls" bigint not null, "input_tokens" bigint not null, "cache_read_tokens" bigint not null, "cache_write_tokens" bigint not null, "output_tokens" bigint not null, "reasoning_tokens" bigint not null, "priced_calls" bigint not null, "cost_nanos" bigint not null, "base_cost_nanos" bigint not null, "latency_micros" bigint not null, "latencies" text not null, "first_token_calls" bigint not null, "first_token_micros" bigint not null, "first_tokens" text not null, primary key ("project_id", "period", "key_id", "model", "upstream", "upstream_model", "workload", "status", "error_reason"));`);

    this.addSql(`drop index "feedback_entry_project_id_created_at_index";`);
    this.addSql(`create index "feedback_entry_project_id_id_index" on "feedback_entry" ("project_id", "id");`);
    this.addSql(`create index "feedback_entry_metric_index" on "feedback_entry" ("project_id", "name", "inference_id", "float_value", "boolean_value");`);

    this.addSql(`drop index "inference_project_id_started_at_id_index";`);
    this.addSql(`create index "inference_project_id_id_index" on "inference" ("project_id", "id");`);

    // Weeks begin on Mondays: the first Monday after 1970 began is its fifth day.
    this.addSql(partition('inference', { daysEach: 7, firstDay: 4, ahead: 4 }));
    this.addSql(partition('inference_body', { daysEach: 1, firstDay: 0, ahead: 28 }));
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "feedback_day" cascade;`);
    this.addSql(`drop table if exists "feedback_hour" cascade;`);
    this.addSql(`drop table if exists "feedback_tag" cascade;`);
    this.addSql(`drop table if exists "usage_day" cascade;`);
    this.addSql(`drop table if exists "usage_hour" cascade;`);

    this.addSql(`drop index "feedback_entry_project_id_id_index";`);
    this.addSql(`drop index "feedback_entry_metric_index";`);
    this.addSql(`create index "feedback_entry_project_id_created_at_index" on "feedback_entry" ("project_id", "created_at");`);

    for (const table of ['inference', 'inference_body']) {
      this.addSql(`alter table "${table}" rename to "${table}_partitioned";`);
      this.addSql(`create table "${table}" (like "${table}_partitioned" including defaults);`);
      this.addSql(`insert into "${table}" select * from "${table}_partitioned";`);
      this.addSql(`drop table "${table}_partitioned" cascade;`);
      this.addSql(`alter table "${table}" add constraint "${table}_pkey" primary key ("id");`);
    }
    this.addSql(`create index "inference_project_id_started_at_id_index" on "inference" ("project_id", "started_at", "id");`);
  }

}

/**
 * Turns a table into one of partitions by the time in its id. The rows stay where they are: their table becomes the first
 * partition, up to the end of the present week or day.
 */
function partition(table: string, { daysEach, firstDay, ahead }: { daysEach: number; firstDay: number; ahead: number }) {
  return `do $$
declare
  day constant bigint := 86400000;
  now_days constant bigint := floor(extract(epoch from now()) / 86400);
  next_start bigint := ((now_days - ${firstDay}) / ${daysEach} + 1) * ${daysEach} + ${firstDay};
  hex text;
  bounds uuid[];
begin
  alter table "${table}" rename to "${table}_before";
  alter index "${table}_pkey" rename to "${table}_before_pkey";
  alter index if exists "${table}_project_id_id_index" rename to "${table}_before_project_id_id_index";
  create table "${table}" (like "${table}_before" including defaults) partition by range ("id");
  alter table "${table}" add constraint "${table}_pkey" primary key ("id");
  if '${table}' = 'inference' then
    create index "inference_project_id_id_index" on "inference" ("project_id", "id");
  end if;
  create table "${table}_default" partition of "${table}" default;
  for i in 0..${ahead} loop
    hex := lpad(to_hex((next_start + (i - 1) * ${daysEach}) * day), 12, '0');
    bounds := bounds || (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-0000-0000-000000000000')::uuid;
    hex := lpad(to_hex((next_start + i * ${daysEach}) * day), 12, '0');
    bounds := bounds || (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-0000-0000-000000000000')::uuid;
  end loop;
  -- Ids of the future, of clocks that were wrong, go where strays go.
  with stray as (delete from "${table}_before" where "id" >= bounds[2] returning *)
  insert into "${table}_default" select * from stray;
  if exists (select 1 from "${table}_before") then
    execute format('alter table "${table}" attach partition "${table}_before" for values from (minvalue) to (%L)', bounds[2]);
  else
    drop table "${table}_before";
  end if;
  for i in 0..${ahead} loop
    continue when i = 0 and to_regclass('"${table}_before"') is not null;
    -- A stray of the future can be where a partition would be: it stays a stray, and so do those that join it.
    continue when exists (select 1 from "${table}_default" where "id" >= bounds[2 * i + 1] and "id" < bounds[2 * i + 2]);
    execute format('create table %I partition of "${table}" for values from (%L) to (%L)',
      '${table}_' || to_char(to_timestamp((next_start + (i - 1) * ${daysEach}) * 86400) at time zone 'UTC', 'YYYYMMDD'),
      bounds[2 * i + 1], bounds[2 * i + 2]);
  end loop;
end $$;`;
}
