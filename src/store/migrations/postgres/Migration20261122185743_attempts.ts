import { Migration } from '@mikro-orm/migrations';

export class Migration20261122185743_attempts extends Migration {

  override name = 'Migration20261122185743_attempts';

  override up(): void | Promise<void> {
    this.addSql(`create table "inference_attempt" ("id" uuid not null, "position" int not null, "role" text not null, "outcome" text not null, "is_winner" boolean not null, "upstream" text not null, "upstream_model" text not null, "upstream_request_id" text not null, "propensity" double precision not null, "started_after_ms" double precision not null, "first_event_ms" double precision null, "latency_ms" double precision not null, "input_tokens" int null, "cache_read_tokens" int null, "cache_write_tokens" int null, "cache_write_5m_tokens" int null, "cache_write_1h_tokens" int null, "output_tokens" int null, "reasoning_tokens" int null, "usage_estimated" boolean not null, "cost_nanos" bigint null, "losses" jsonb not null, "error_reason" text null, "error_message" text null, "error_upstream_status" int null, "error_upstream_code" text null, primary key ("id", "position")) partition by range ("id");`);
    this.addSql(`create table "inference_attempt_default" partition of "inference_attempt" default;`);
    this.addSql(WEEKS);

    this.addSql(`alter table "inference" add "usage_estimated" boolean not null default false, add "cache_saved_nanos" bigint null;`);

    this.addSql(`alter table "usage_day" add "cache_saved_nanos" bigint not null default '0';`);

    this.addSql(`alter table "usage_hour" add "cache_saved_nanos" bigint not null default '0';`);

    this.addSql(`alter table "usage_week" add "cache_saved_nanos" bigint not null default '0';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "inference_attempt" cascade;`);

    this.addSql(`alter table "inference" drop column "usage_estimated", drop column "cache_saved_nanos";`);

    this.addSql(`alter table "usage_day" drop column "cache_saved_nanos";`);

    this.addSql(`alter table "usage_hour" drop column "cache_saved_nanos";`);

    this.addSql(`alter table "usage_week" drop column "cache_saved_nanos";`);
  }

}

/** Partitions of the present week and of four after it, as src/store/partitions makes the later ones: weeks begin on Mondays. */
const WEEKS = `do $$
declare
  day constant bigint := 86400000;
  monday constant bigint := (floor(extract(epoch from now()) / 86400)::bigint - 4) / 7 * 7 + 4;
  hex text;
  bounds uuid[];
begin
  for week in 0..5 loop
    hex := lpad(to_hex((monday + 7 * week) * day), 12, '0');
    bounds := bounds || (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-0000-0000-000000000000')::uuid;
  end loop;
  for week in 1..5 loop
    execute format('create table %I partition of "inference_attempt" for values from (%L) to (%L)',
      'inference_attempt_' || to_char(to_timestamp((monday + 7 * (week - 1)) * 86400) at time zone 'UTC', 'YYYYMMDD'),
      bounds[week], bounds[week + 1]);
  end loop;
end $$;`;
