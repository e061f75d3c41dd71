import { Migration } from '@mikro-orm/migrations';

export class Migration20261122085413_retention_and_names extends Migration {

  override name = 'Migration20261122085413_retention_and_names';

  override up(): void | Promise<void> {
    this.addSql(`create table \`retention_mark\` (\`kind\` text not null primary key, \`kept_days\` integer not null, \`deleted_before\` datetime not null, \`confirmed_before\` datetime null, \`ran_at\` datetime not null);`);

    this.addSql(`create table \`rollup_name\` (\`project_id\` text not null, \`kind\` text not null, \`name\` text not null, primary key (\`project_id\`, \`kind\`, \`name\`)) without rowid;`);

    // What is told apart already stays so; names that are not used are given up in time.
    this.addSql(`insert into \`rollup_name\` (\`project_id\`, \`kind\`, \`name\`) select distinct \`project_id\`, 'workload', \`workload\` from \`usage_day\` where \`workload\` <> '';`);
    this.addSql(`insert into \`rollup_name\` (\`project_id\`, \`kind\`, \`name\`) select distinct \`project_id\`, 'metric', \`name\` from \`feedback_day\`;`);

    // Weeks lacked what the other rollups have: they are kept in the order of their keys, without an index beside.
    this.addSql(`alter table \`usage_week\` rename to \`usage_week_before\`;`);
    this.addSql(`create table \`usage_week\` (\`project_id\` text not null, \`period\` integer not null, \`key_id\` text not null, \`model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`workload\` text not null, \`status\` text not null, \`error_reason\` text not null, \`calls\` bigint not null, \`streamed_calls\` bigint not null, \`routed_calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`base_cost_nanos\` bigint not null, \`latency_micros\` bigint not null, \`latencies\` text not null, \`first_token_calls\` bigint not null, \`first_token_micros\` bigint not null, \`first_tokens\` text not null, primary key (\`project_id\`, \`period\`, \`key_id\`, \`model\`, \`upstream\`, \`upstream_model\`, \`workload\`, \`status\`, \`error_reason\`)) without rowid;`);
    this.addSql(`insert into \`usage_week\` select * from \`usage_week_before\`;`);
    this.addSql(`drop table \`usage_week_before\`;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`retention_mark\`;`);
    this.addSql(`drop table if exists \`rollup_name\`;`);
  }

}
