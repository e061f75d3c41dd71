import { Migration } from '@mikro-orm/migrations';

export class Migration20261123013416_models_chosen extends Migration {

  override name = 'Migration20261123013416_models_chosen';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`inference\` add column \`served_model\` text not null default '';`);
    this.addSql(`alter table \`inference\` add column \`family\` text not null default '';`);
    this.addSql(`alter table \`inference\` add column \`decision\` json null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`inference\` drop column \`served_model\`;`);
    this.addSql(`alter table \`inference\` drop column \`family\`;`);
    this.addSql(`alter table \`inference\` drop column \`decision\`;`);
  }

}
