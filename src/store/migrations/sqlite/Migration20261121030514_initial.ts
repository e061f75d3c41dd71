import { Migration } from '@mikro-orm/migrations';

export class Migration20261121030514_initial extends Migration {

  override name = 'Migration20261121030514_initial';

  override up(): void | Promise<void> {
    this.addSql(`create table \`feedback_entry\` (\`id\` text not null primary key, \`inference_id\` text not null, \`project_id\` text not null, \`key_id\` text not null, \`name\` text not null, \`kind\` text not null, \`boolean_value\` integer null, \`float_value\` double null, \`text_value\` text null, \`tags\` json not null, \`optimize\` text null, \`created_at\` datetime not null);`);
    this.addSql(`create index \`feedback_entry_inference_id_index\` on \`feedback_entry\` (\`inference_id\`);`);
    this.addSql(`create index \`feedback_entry_project_id_created_at_index\` on \`feedback_entry\` (\`project_id\`, \`created_at\`);`);

    this.addSql(`create table \`inference\` (\`id\` text not null primary key, \`project_id\` text not null, \`key_id\` text not null, \`dialect\` text not null, \`streamed\` integer not null, \`model\` text not null, \`upstream\` text not null, \`upstream_model\` text not null, \`upstream_request_id\` text not null, \`workload\` text not null, \`status\` text not null, \`started_at\` datetime not null, \`latency_ms\` double not null, \`time_to_first_token_ms\` double null, \`input_tokens\` integer null, \`cache_read_tokens\` integer null, \`cache_write_tokens\` integer null, \`cache_write_5m_tokens\` integer null, \`cache_write_1h_tokens\` integer null, \`output_tokens\` integer null, \`reasoning_tokens\` integer null, \`cost_nanos\` bigint null, \`finish_reason\` text null, \`raw_finish_reason\` text null, \`error_reason\` text null, \`error_message\` text null, \`error_upstream_status\` integer null, \`error_upstream_code\` text null, \`deviation\` text not null, \`optimizations\` json not null, \`translation_losses\` json not null);`);
    this.addSql(`create index \`inference_project_id_started_at_id_index\` on \`inference\` (\`project_id\`, \`started_at\`, \`id\`);`);

    this.addSql(`create table \`inference_body\` (\`id\` text not null primary key, \`request\` blob not null, \`response\` blob not null);`);

    this.addSql(`create table \`project\` (\`id\` text not null primary key, \`name\` text not null, \`created_at\` datetime not null);`);
    this.addSql(`create unique index \`project_name_unique\` on \`project\` (\`name\`);`);

    this.addSql(`create table \`api_key\` (\`id\` text not null primary key, \`project_id\` text not null, \`public_id\` text not null, \`hash\` text not null, \`name\` text not null, \`created_at\` datetime not null, \`expires_at\` datetime null, \`revoked_at\` datetime null, \`last_used_at\` datetime null, constraint \`api_key_project_id_foreign\` foreign key (\`project_id\`) references \`project\` (\`id\`));`);
    this.addSql(`create index \`api_key_project_id_index\` on \`api_key\` (\`project_id\`);`);
    this.addSql(`create unique index \`api_key_public_id_unique\` on \`api_key\` (\`public_id\`);`);
    this.addSql(`create unique index \`api_key_hash_unique\` on \`api_key\` (\`hash\`);`);
  }

  override down(): void | Promise<void> {

    this.addSql(`drop table if exists \`feedback_entry\`;`);
    this.addSql(`drop table if exists \`inference\`;`);
    this.addSql(`drop table if exists \`inference_body\`;`);
    this.addSql(`drop table if exists \`project\`;`);
    this.addSql(`drop table if exists \`api_key\`;`);
  }

}
