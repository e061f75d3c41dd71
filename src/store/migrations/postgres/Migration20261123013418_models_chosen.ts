import { Migration } from '@mikro-orm/migrations';

export class Migration20261123013418_models_chosen extends Migration {

  override name = 'Migration20261123013418_models_chosen';

  override up(): void | Promise<void> {
    this.addSql(`alter table "inference" add "served_model" text not null default '', add "family" text not null default '', add "decision" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "inference" drop column "served_model", drop column "family", drop column "decision";`);
  }

}
