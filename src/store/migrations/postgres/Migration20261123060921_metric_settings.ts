import { Migration } from '@mikro-orm/migrations';

export class Migration20261123060921_metric_settings extends Migration {

  override name = 'Migration20261123060921_metric_settings';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workload_control" add "metrics" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "workload_control" drop column "metrics";`);
  }

}
