import { Migration } from '@mikro-orm/migrations';

export class Migration20261129010029_add_cost_gaps extends Migration {

  override name = 'Migration20261129010029_add_cost_gaps';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`inference\` add column \`billing\` json null;`);
    this.addSql(`alter table \`inference\` add column \`cost_gaps\` json null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`inference\` drop column \`billing\`;`);
    this.addSql(`alter table \`inference\` drop column \`cost_gaps\`;`);
  }

}
