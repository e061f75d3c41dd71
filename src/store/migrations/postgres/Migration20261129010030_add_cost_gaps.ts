import { Migration } from '@mikro-orm/migrations';

export class Migration20261129010030_add_cost_gaps extends Migration {

  override name = 'Migration20261129010030_add_cost_gaps';

  override up(): void | Promise<void> {
    this.addSql(`alter table "inference" add "billing" jsonb null, add "cost_gaps" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "inference" drop column "billing", drop column "cost_gaps";`);
  }

}
