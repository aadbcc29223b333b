ALTER TABLE `challenges` ADD `removed_at` integer;--> statement-breakpoint
ALTER TABLE `missions` ADD `times_paid` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `social_posts` ADD `removed_at` integer;--> statement-breakpoint
-- How often each mission was paid so far. Mission ids contain no #, which starts the number of a second award (0017).
UPDATE missions SET times_paid = (SELECT count(*) FROM ledger
  WHERE action = 'mission' AND key >= 'mission:' || missions.id AND key < 'mission:' || missions.id || '$');
--> statement-breakpoint
CREATE TRIGGER ledger_counts_missions AFTER INSERT ON ledger
WHEN NEW.action = 'mission' AND NEW.key GLOB 'mission:*' BEGIN
  UPDATE missions SET times_paid = times_paid + 1
  WHERE id = substr(NEW.key, 9, iif(instr(NEW.key, '#') = 0, length(NEW.key), instr(NEW.key, '#') - 9));
END;
--> statement-breakpoint
-- As in migration 0015, except for times_paid, which only admins see.
DROP TRIGGER missions_public_update;
--> statement-breakpoint
CREATE TRIGGER missions_public_update AFTER UPDATE ON missions
WHEN OLD.times_paid = NEW.times_paid BEGIN
  UPDATE data_version SET version = version + 1;
END;
