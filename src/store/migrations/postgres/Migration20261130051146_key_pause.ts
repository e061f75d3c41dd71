import { Migration } from '@mikro-orm/migrations';

export class Migration20261130051146_key_pause extends Migration {

  override name = 'Migration20261130051146_key_pause';

  override up(): void | Promise<void> {
    this.addSql(`alter table "api_key" add "paused_at" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "api_key" drop column "paused_at";`);
  }

}
