CREATE TABLE `ballot_flags` (
	`ballot_id` integer PRIMARY KEY NOT NULL,
	`challenge_id` text NOT NULL,
	`is_burst` integer DEFAULT false NOT NULL,
	`is_shared_device` integer DEFAULT false NOT NULL,
	`is_new_account` integer DEFAULT false NOT NULL,
	`decision` text,
	`reason` text DEFAULT '' NOT NULL,
	`decided_by` integer,
	`decided_at` integer,
	FOREIGN KEY (`ballot_id`) REFERENCES `challenge_ballots`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`challenge_id`) REFERENCES `challenges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`decided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ballot_flags_decision" CHECK("ballot_flags"."decision" in ('kept', 'excluded') and "ballot_flags"."decided_at" is not null or "ballot_flags"."decision" is null)
);
--> statement-breakpoint
CREATE INDEX `ballot_flags_of_challenge` ON `ballot_flags` (`challenge_id`,`decided_at`,`ballot_id`);--> statement-breakpoint
CREATE TABLE `ballot_marks` (
	`ballot_id` integer PRIMARY KEY NOT NULL,
	`challenge_id` text NOT NULL,
	`network` text NOT NULL,
	`device` text,
	`cast_at` integer NOT NULL,
	FOREIGN KEY (`ballot_id`) REFERENCES `challenge_ballots`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ballot_marks_of_network` ON `ballot_marks` (`challenge_id`,`network`,`cast_at`);--> statement-breakpoint
CREATE INDEX `ballot_marks_of_device` ON `ballot_marks` (`challenge_id`,`device`) WHERE device is not null;--> statement-breakpoint
DROP INDEX `challenges_by_end`;--> statement-breakpoint
ALTER TABLE `challenges` ADD `rules` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `submissions_open_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `submissions_close_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `finalists_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `voting_opens_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `voting_closes_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `publish_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `sealed_at` integer;--> statement-breakpoint
ALTER TABLE `challenges` ADD `ballots_sha256` text;--> statement-breakpoint
ALTER TABLE `challenges` ADD `ballots_count` integer;--> statement-breakpoint
ALTER TABLE `challenges` ADD `excluded_count` integer;--> statement-breakpoint
ALTER TABLE `challenges` ADD `keyed_by` text;--> statement-breakpoint
CREATE INDEX `challenges_by_end` ON `challenges` (`publish_at`);--> statement-breakpoint
-- Rebuilt because visitors without an account send verses: docs/decisions/0012-verse-challenge.md. The table has no
-- triggers, and no table references it.
CREATE TABLE `__new_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`owner_id` integer,
	`created_at` integer NOT NULL,
	`multipart_id` text,
	`stored_at` integer,
	`content_type` text,
	`size_bytes` integer,
	`width` integer,
	`height` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "uploads_kind" CHECK("__new_uploads"."kind" in ('picture', 'audio')),
	CONSTRAINT "uploads_stored" CHECK("__new_uploads"."stored_at" is null or ("__new_uploads"."content_type" is not null and "__new_uploads"."size_bytes" > 0))
);
--> statement-breakpoint
INSERT INTO `__new_uploads`("id", "kind", "owner_id", "created_at", "multipart_id", "stored_at", "content_type", "size_bytes", "width", "height") SELECT "id", "kind", "owner_id", "created_at", "multipart_id", "stored_at", "content_type", "size_bytes", "width", "height" FROM `uploads`;--> statement-breakpoint
DROP TABLE `uploads`;--> statement-breakpoint
ALTER TABLE `__new_uploads` RENAME TO `uploads`;--> statement-breakpoint
CREATE INDEX `uploads_by_owner` ON `uploads` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `uploads_age` ON `uploads` (`created_at`);--> statement-breakpoint
ALTER TABLE `challenge_ballots` ADD `excluded_for` text;--> statement-breakpoint
CREATE INDEX `challenge_ballots_order` ON `challenge_ballots` (`challenge_id`);--> statement-breakpoint
ALTER TABLE `challenge_finalists` ADD `submission_id` text REFERENCES verse_submissions(id);--> statement-breakpoint
CREATE UNIQUE INDEX `challenge_finalists_verse` ON `challenge_finalists` (`submission_id`) WHERE submission_id is not null;--> statement-breakpoint
ALTER TABLE `verse_submissions` ADD `user_id` integer REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `verse_submissions` ADD `mailbox_key` text;--> statement-breakpoint
ALTER TABLE `verse_submissions` ADD `terms_version` text;--> statement-breakpoint
ALTER TABLE `verse_submissions` ADD `audio_key` text;--> statement-breakpoint
ALTER TABLE `verse_submissions` ADD `shortlisted` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `verse_submissions` ADD `note` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `verse_submissions_once` ON `verse_submissions` (`challenge_id`,`mailbox_key`) WHERE mailbox_key is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `verse_submissions_by_user` ON `verse_submissions` (`user_id`,`challenge_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `verse_submissions_audio` ON `verse_submissions` (`audio_key`) WHERE audio_key is not null;
--> statement-breakpoint
-- Days of existing challenges start at midnight UTC until an admin saves them again.
UPDATE challenges SET submissions_open_at = unixepoch(submissions_from) * 1000,
  submissions_close_at = unixepoch(submissions_until, '+1 day') * 1000, finalists_at = unixepoch(finalists_on) * 1000,
  voting_opens_at = unixepoch(voting_from) * 1000, voting_closes_at = unixepoch(voting_until, '+1 day') * 1000,
  publish_at = unixepoch(winner_on, '+1 day') * 1000;
--> statement-breakpoint
-- A ballot excluded by an admin stays stored and is not counted.
DROP TRIGGER challenge_ballots_count;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_count AFTER INSERT ON challenge_ballots WHEN NEW.excluded_for IS NULL BEGIN
  UPDATE challenge_finalists SET votes = votes + 1 WHERE id = NEW.finalist_id AND challenge_id = NEW.challenge_id;
END;
--> statement-breakpoint
DROP TRIGGER challenge_ballots_move;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_move AFTER UPDATE OF finalist_id, excluded_for ON challenge_ballots BEGIN
  UPDATE challenge_finalists SET votes = votes - 1 WHERE id = OLD.finalist_id AND OLD.excluded_for IS NULL;
  UPDATE challenge_finalists SET votes = votes + 1 WHERE id = NEW.finalist_id AND NEW.excluded_for IS NULL;
END;
--> statement-breakpoint
DROP TRIGGER challenge_ballots_uncount;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_uncount AFTER DELETE ON challenge_ballots WHEN OLD.excluded_for IS NULL BEGIN
  UPDATE challenge_finalists SET votes = votes - 1 WHERE id = OLD.finalist_id;
END;
--> statement-breakpoint
-- Ballots and counts of a sealed challenge cannot change.
CREATE TRIGGER challenge_ballots_sealed_insert BEFORE INSERT ON challenge_ballots
WHEN (SELECT sealed_at FROM challenges WHERE id = NEW.challenge_id) IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_sealed_update BEFORE UPDATE ON challenge_ballots
WHEN EXISTS (SELECT 1 FROM challenges WHERE id IN (OLD.challenge_id, NEW.challenge_id) AND sealed_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_sealed_delete BEFORE DELETE ON challenge_ballots
WHEN (SELECT sealed_at FROM challenges WHERE id = OLD.challenge_id) IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_finalists_sealed_insert BEFORE INSERT ON challenge_finalists
WHEN (SELECT sealed_at FROM challenges WHERE id = NEW.challenge_id) IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_finalists_sealed_update BEFORE UPDATE ON challenge_finalists
WHEN EXISTS (SELECT 1 FROM challenges WHERE id IN (OLD.challenge_id, NEW.challenge_id) AND sealed_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_finalists_sealed_delete BEFORE DELETE ON challenge_finalists
WHEN (SELECT sealed_at FROM challenges WHERE id = OLD.challenge_id) IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenges_stay_sealed BEFORE UPDATE ON challenges
WHEN OLD.sealed_at IS NOT NULL AND (NEW.id <> OLD.id OR NEW.sealed_at IS NOT OLD.sealed_at OR (OLD.ballots_sha256 IS NOT NULL
  AND (NEW.ballots_sha256 IS NOT OLD.ballots_sha256 OR NEW.ballots_count IS NOT OLD.ballots_count
    OR NEW.excluded_count IS NOT OLD.excluded_count))) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenges_sealed_stay BEFORE DELETE ON challenges WHEN OLD.sealed_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
