import { Migration } from '@mikro-orm/migrations';

export class Migration20261130051145_key_pause extends Migration {

  override name = 'Migration20261130051145_key_pause';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`api_key\` add column \`paused_at\` datetime null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`api_key\` drop column \`paused_at\`;`);
  }

}
