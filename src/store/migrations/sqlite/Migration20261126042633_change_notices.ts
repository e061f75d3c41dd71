import { Migration } from '@mikro-orm/migrations';

export class Migration20261126042633_change_notices extends Migration {

  override name = 'Migration20261126042633_change_notices';

  override up(): void | Promise<void> {
    this.addSql(`create table \`change_notice\` (\`id\` integer not null primary key autoincrement, \`channel\` text not null, \`payload\` text not null);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`change_notice\`;`);
  }

}
