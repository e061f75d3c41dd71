import { Migration } from '@mikro-orm/migrations';

export class Migration20261123052800_workload_points extends Migration {

  override name = 'Migration20261123052800_workload_points';

  override up(): void | Promise<void> {
    this.addSql(`create table \`workload_point\` (\`project_id\` text not null, \`model\` text not null, \`step_minutes\` integer not null, \`slot\` integer not null, \`figures\` text not null, primary key (\`project_id\`, \`model\`, \`step_minutes\`, \`slot\`));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`workload_point\`;`);
  }

}
