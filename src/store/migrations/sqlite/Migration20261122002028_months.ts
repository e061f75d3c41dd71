import { Migration } from '@mikro-orm/migrations';

export class Migration20261122002028_months extends Migration {

  override name = 'Migration20261122002028_months';

  override up(): void | Promise<void> {
    this.addSql(`create table \`usage_month\` (\`project_id\` text not null, \`period\` integer not null, \`key_id\` text not null, \`model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`workload\` text not null, \`status\` text not null, \`error_reason\` text not null, \`calls\` bigint not null, \`streamed_calls\` bigint not null, \`routed_calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`base_cost_nanos\` bigint not null, \`latency_micros\` bigint not null, \`latencies\` text not null, \`first_token_calls\` bigint not null, \`first_token_micros\` bigint not null, \`first_tokens\` text not null, primary key (\`project_id\`, \`period\`, \`key_id\`, \`model\`, \`upstream\`, \`upstream_model\`, \`workload\`, \`status\`, \`error_reason\`)) without rowid;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`usage_month\`;`);
  }

}
