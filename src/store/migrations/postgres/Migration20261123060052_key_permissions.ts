import { Migration } from '@mikro-orm/migrations';

export class Migration20261123060052_key_permissions extends Migration {

  override name = 'Migration20261123060052_key_permissions';

  override up(): void | Promise<void> {
    this.addSql(`alter table "api_key" add "permissions" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "api_key" drop column "permissions";`);
  }

}
