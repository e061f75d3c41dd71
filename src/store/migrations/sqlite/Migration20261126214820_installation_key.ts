import { Migration } from '@mikro-orm/migrations';

export class Migration20261126214820_installation_key extends Migration {

  override name = 'Migration20261126214820_installation_key';

  override up(): void | Promise<void> {
    this.addSql(`create table \`installation_key\` (\`id\` integer not null primary key, \`secret\` text not null, \`created_at\` datetime not null);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`installation_key\`;`);
  }

}
