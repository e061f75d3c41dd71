import { Migration } from '@mikro-orm/migrations';

export class Migration20261129021035_feedback_removal extends Migration {

  override name = 'Migration20261129021035_feedback_removal';

  override up(): void | Promise<void> {
    this.addSql(`create table \`feedback_removal\` (\`id\` text not null primary key, \`project_id\` text not null, \`key_id\` text not null);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`feedback_removal\`;`);
  }

}
