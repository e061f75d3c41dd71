import { Migration } from '@mikro-orm/migrations';

export class Migration20261201033309_shadow_pair_verdicts extends Migration {

  override name = 'Migration20261201033309_shadow_pair_verdicts';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`shadow_pair\` add column \`served_verdict\` integer null;`);
    this.addSql(`alter table \`shadow_pair\` add column \`trial_verdict\` integer null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`shadow_pair\` drop column \`served_verdict\`;`);
    this.addSql(`alter table \`shadow_pair\` drop column \`trial_verdict\`;`);
  }

}
