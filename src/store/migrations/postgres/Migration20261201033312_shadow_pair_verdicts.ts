import { Migration } from '@mikro-orm/migrations';

export class Migration20261201033312_shadow_pair_verdicts extends Migration {

  override name = 'Migration20261201033312_shadow_pair_verdicts';

  override up(): void | Promise<void> {
    this.addSql(`alter table "shadow_pair" add "served_verdict" boolean null, add "trial_verdict" boolean null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "shadow_pair" drop column "served_verdict", drop column "trial_verdict";`);
  }

}
