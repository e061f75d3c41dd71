import { Migration } from '@mikro-orm/migrations';

export class Migration20261129010837_feedback_rater extends Migration {

  override name = 'Migration20261129010837_feedback_rater';

  override up(): void | Promise<void> {
    this.addSql(`alter table "feedback_entry" add "rater" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "feedback_entry" drop column "rater";`);
  }

}
