import { Migration } from '@mikro-orm/migrations';

export class Migration20261121231116_partitions_and_rollups extends Migration {

  override name = 'Migration20261121231116_partitions_and_rollups';

  override up(): void | Promise<void> {
    // In the order of their keys, without an index beside: they are read by ranges of them.
    this.addSql(`create table \`feedback_day\` (\`project_id\` text not null, \`period\` integer not null, \`model\` text not null, \`workload\` text not null, \`name\` text not null, \`kind\` text not null, \`entries\` bigint not null, \`sum\` double not null, \`sum_of_squares\` double not null, \`true_entries\` bigint not null, \`maximised\` bigint not null, \`minimised\` bigint not null, primary key (\`project_id\`, \`period\`, \`model\`, \`workload\`, \`name\`, \`kind\`)) without rowid;`);

    this.addSql(`create table \`feedback_hour\` (\`project_id\` text not null, \`period\` integer not null, \`model\` text not null, \`workload\` text not null, \`name\` text not null, \`kind\` text not null, \`entries\` bigint not null, \`sum\` double not null, \`sum_of_squares\` double not null, \`true_entries\` bigint not null, \`maximised\` bigint not null, \`minimised\` bigint not null, primary key (\`project_id\`, \`period\`, \`model\`, \`workload\`, \`name\`, \`kind\`)) without rowid;`);

    this.addSql(`create table \`feedback_tag\` (\`project_id\` text not null, \`key\` text not null, \`value\` text not null, \`inference_id\` text not null, \`feedback_id\` text not null, primary key (\`project_id\`, \`key\`, \`value\`, \`inference_id\`, \`feedback_id\`)) without rowid;`);
    this.addSql(`create index \`feedback_tag_feedback_id_index\` on \`feedback_tag\` (\`feedback_id\`);`);
    this.addSql(`insert into \`feedback_tag\` (\`project_id\`, \`key\`, \`value\`, \`inference_id\`, \`feedback_id\`) select \`project_id\`, tag.key, tag.value, \`inference_id\`, \`feedback_entry\`.\`id\` from \`feedback_entry\`, json_each(\`tags\`) as tag where length(tag.key) <= 200 and length(tag.value) <= 200;`);

    this.addSql(`create table \`usage_day\` (\`project_id\` text not null, \`period\` integer not null, \`key_id\` text not null, \`model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`workload\` text not null, \`status\` text not null, \`error_reason\` text not null, \`calls\` bigint not null, \`streamed_calls\` bigint not null, \`routed_calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`base_cost_nanos\` bigint not null, \`latency_micros\` bigint not null, \`latencies\` text not null, \`first_token_calls\` bigint not null, \`first_token_micros\` bigint not null, \`first_tokens\` text not null, primary key (\`project_id\`, \`period\`, \`key_id\`, \`model\`, \`upstream\`, \`upstream_model\`, \`workload\`, \`status\`, \`error_reason\`)) without rowid;`);

    this.addSql(`create table \`usage_hour\` (\`project_id\` text not null, \`period\` integer not null, \`key_id\` text not null, \`model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`workload\` text not null, \`status\` text not null, \`error_reason\` text not null, \`calls\` bigint not null, \`streamed_calls\` bigint not null, \`routed_calls\` bigint not null, \`input_tokens\` bigint not null, \`cache_read_tokens\` bigint not null, \`cache_write_tokens\` bigint not null, \`output_tokens\` bigint not null, \`reasoning_tokens\` bigint not null, \`priced_calls\` bigint not null, \`cost_nanos\` bigint not null, \`base_cost_nanos\` bigint not null, \`latency_micros\` bigint not null, \`latencies\` text not null, \`first_token_calls\` bigint not null, \`first_token_micros\` bigint not null, \`first_tokens\` text not null, primary key (\`project_id\`, \`period\`, \`key_id\`, \`model\`, \`upstream\`, \`upstream_model\`, \`workload\`, \`status\`, \`error_reason\`)) without rowid;`);

    this.addSql(`drop index \`feedback_entry_project_id_created_at_index\`;`);
    this.addSql(`create index \`feedback_entry_project_id_id_index\` on \`feedback_entry\` (\`project_id\`, \`id\`);`);
    this.addSql(`create index \`feedback_entry_metric_index\` on \`feedback_entry\` (\`project_id\`, \`name\`, \`inference_id\`, \`float_value\`, \`boolean_value\`);`);

    this.addSql(`drop index \`inference_project_id_started_at_id_index\`;`);
    this.addSql(`create index \`inference_project_id_id_index\` on \`inference\` (\`project_id\`, \`id\`);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`feedback_day\`;`);
    this.addSql(`drop table if exists \`feedback_hour\`;`);
    this.addSql(`drop table if exists \`feedback_tag\`;`);
    this.addSql(`drop table if exists \`usage_day\`;`);
    this.addSql(`drop table if exists \`usage_hour\`;`);

    this.addSql(`drop index \`feedback_entry_project_id_id_index\`;`);
    this.addSql(`drop index \`feedback_entry_metric_index\`;`);
    this.addSql(`create index \`feedback_entry_project_id_created_at_index\` on \`feedback_entry\` (\`project_id\`, \`created_at\`);`);

    this.addSql(`drop index \`inference_project_id_id_index\`;`);
    this.addSql(`create index \`inference_project_id_started_at_id_index\` on \`inference\` (\`project_id\`, \`started_at\`, \`id\`);`);
  }

}
