import { Migration } from '@mikro-orm/migrations';

export class Migration20261123060916_metric_settings extends Migration {

  override name = 'Migration20261123060916_metric_settings';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`workload_control\` add column \`metrics\` json null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`workload_control\` drop column \`metrics\`;`);
  }

}
