import { Migration } from '@mikro-orm/migrations';

export class Migration20261121034320_stored_responses extends Migration {

  override name = 'Migration20261121034320_stored_responses';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`inference\` add column \`previous_id\` text null;`);
    this.addSql(`alter table \`inference\` add column \`stored\` integer not null default false;`);
    this.addSql(`alter table \`inference\` add column \`deleted_at\` datetime null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`inference\` drop column \`previous_id\`;`);
    this.addSql(`alter table \`inference\` drop column \`stored\`;`);
    this.addSql(`alter table \`inference\` drop column \`deleted_at\`;`);
  }

}
