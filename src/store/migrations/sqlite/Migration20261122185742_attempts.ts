import { Migration } from '@mikro-orm/migrations';

export class Migration20261122185742_attempts extends Migration {

  override name = 'Migration20261122185742_attempts';

  override up(): void | Promise<void> {
    // In the order of its key, without an index beside: the rows of an inference lie side by side.
    this.addSql(`create table \`inference_attempt\` (\`id\` text not null, \`position\` integer not null, \`role\` text not null, \`outcome\` text not null, \`is_winner\` integer not null, \`upstream\` text not null, \`upstream_model\` text not null, \`upstream_request_id\` text not null, \`propensity\` double not null, \`started_after_ms\` double not null, \`first_event_ms\` double null, \`latency_ms\` double not null, \`input_tokens\` integer null, \`cache_read_tokens\` integer null, \`cache_write_tokens\` integer null, \`cache_write_5m_tokens\` integer null, \`cache_write_1h_tokens\` integer null, \`output_tokens\` integer null, \`reasoning_tokens\` integer null, \`usage_estimated\` integer not null, \`cost_nanos\` bigint null, \`losses\` json not null, \`error_reason\` text null, \`error_message\` text null, \`error_upstream_status\` integer null, \`error_upstream_code\` text null, primary key (\`id\`, \`position\`)) without rowid;`);

    this.addSql(`alter table \`inference\` add column \`usage_estimated\` integer not null default false;`);
    this.addSql(`alter table \`inference\` add column \`cache_saved_nanos\` bigint null;`);

    this.addSql(`alter table \`usage_day\` add column \`cache_saved_nanos\` bigint not null default '0';`);

    this.addSql(`alter table \`usage_hour\` add column \`cache_saved_nanos\` bigint not null default '0';`);

    this.addSql(`alter table \`usage_week\` add column \`cache_saved_nanos\` bigint not null default '0';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`inference_attempt\`;`);

    this.addSql(`alter table \`inference\` drop column \`usage_estimated\`;`);
    this.addSql(`alter table \`inference\` drop column \`cache_saved_nanos\`;`);

    this.addSql(`alter table \`usage_day\` drop column \`cache_saved_nanos\`;`);

    this.addSql(`alter table \`usage_hour\` drop column \`cache_saved_nanos\`;`);

    this.addSql(`alter table \`usage_week\` drop column \`cache_saved_nanos\`;`);
  }

}
