import { Migration } from '@mikro-orm/migrations';

export class Migration20261129131557_workload_improvement extends Migration {

  override name = 'Migration20261129131557_workload_improvement';

  override up(): void | Promise<void> {
    this.addSql(`create table \`workload_improvement\` (\`project_id\` text not null, \`model\` text not null, \`id\` text not null, \`actor_kind\` text not null, \`actor_id\` text not null, \`actor_label\` text not null, \`via\` text not null, \`requested_at\` datetime not null, \`models\` text not null, \`most_nanos\` bigint not null, \`most_calls\` integer not null, \`state\` text not null, \`holder\` text null, \`beat_at\` datetime null, \`started_at\` datetime null, \`ended_at\` datetime null, \`ending\` text null, \`calls\` integer not null, \`checks\` integer not null, \`spent_nanos\` bigint not null, primary key (\`project_id\`, \`model\`));`);
    this.addSql(`create index \`workload_improvement_state_index\` on \`workload_improvement\` (\`state\`);`);

    this.addSql(`alter table \`shadow_trial\` add column \`improvement_id\` text null;`);
    this.addSql(`create index \`shadow_trial_improvement_id_index\` on \`shadow_trial\` (\`improvement_id\`) where improvement_id is not null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`workload_improvement\`;`);

    this.addSql(`drop index \`shadow_trial_improvement_id_index\`;`);
    this.addSql(`alter table \`shadow_trial\` drop column \`improvement_id\`;`);
  }

}
