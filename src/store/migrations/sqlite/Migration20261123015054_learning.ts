import { Migration } from '@mikro-orm/migrations';

export class Migration20261123015054_learning extends Migration {

  override name = 'Migration20261123015054_learning';

  override up(): void | Promise<void> {
    this.addSql(`create table \`workload_state\` (\`project_id\` text not null, \`model\` text not null, \`version\` integer not null, \`updated_at\` datetime not null, \`rewards\` double not null, \`snapshot\` text null, primary key (\`project_id\`, \`model\`));`);

    this.addSql(`create table \`learning_batch\` (\`id\` text not null primary key, \`due_at\` datetime not null, \`size\` integer not null, \`events\` text not null);`);

    this.addSql(`create table \`learning_mark\` (\`id\` integer not null primary key, \`generation\` integer not null, \`paused_until\` datetime null);`);

    this.addSql(`create table \`workload_control\` (\`project_id\` text not null, \`model\` text not null, \`mode\` text null, \`hold\` text null, \`pinned\` text null, \`excluded\` json null, \`objective\` text null, \`feedback\` text null, \`updated_at\` datetime not null, primary key (\`project_id\`, \`model\`));`);

    this.addSql(`create table \`workload_event\` (\`id\` text not null primary key, \`project_id\` text not null, \`model\` text not null, \`at\` datetime not null, \`kind\` text not null, \`detail\` json not null);`);
    this.addSql(`create index \`workload_event_project_id_model_id_index\` on \`workload_event\` (\`project_id\`, \`model\`, \`id\`);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`workload_state\`;`);
    this.addSql(`drop table if exists \`learning_batch\`;`);
    this.addSql(`drop table if exists \`learning_mark\`;`);
    this.addSql(`drop table if exists \`workload_control\`;`);
    this.addSql(`drop table if exists \`workload_event\`;`);
  }

}
