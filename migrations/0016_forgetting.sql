CREATE TABLE `trials_had` (
	`hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `users` ADD `age_confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `age_wording` text;--> statement-breakpoint
ALTER TABLE `exports` ADD `removed_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `forget_wanted_at` integer;--> statement-breakpoint
CREATE INDEX `orders_by_mailbox` ON `orders` (lower("email")) WHERE email is not null;--> statement-breakpoint
CREATE INDEX `orders_to_forget` ON `orders` (`forget_wanted_at`) WHERE forget_wanted_at is not null;--> statement-breakpoint
CREATE INDEX `orders_abandoned` ON `orders` (`created_at`) WHERE status in ('failed', 'expired') and (email is not null or shipping_address is not null);--> statement-breakpoint
ALTER TABLE `polls` ADD `title_forgotten_up_to` integer;--> statement-breakpoint
CREATE INDEX `polls_to_forget` ON `polls` (`id`) WHERE title_forgotten_up_to is not null;--> statement-breakpoint
CREATE INDEX `audit_by_subject` ON `audit_log` (`subject`);--> statement-breakpoint
CREATE INDEX `verse_submissions_age` ON `verse_submissions` (`submitted_at`);--> statement-breakpoint
CREATE INDEX `verse_submissions_by_mailbox` ON `verse_submissions` (lower("email"));--> statement-breakpoint
CREATE INDEX `city_requests_of` ON `city_requests` (`requester`);--> statement-breakpoint
CREATE INDEX `show_alerts_by_mailbox` ON `show_alerts` (`email_key`) WHERE email_key is not null;--> statement-breakpoint
CREATE INDEX `show_alerts_unconfirmed` ON `show_alerts` (`created_at`) WHERE confirmed_at is null;--> statement-breakpoint
CREATE INDEX `outbox_of_address` ON `outbox` (lower("recipient"));--> statement-breakpoint
CREATE INDEX `outbox_with_words` ON `outbox` (`created_at`) WHERE html <> '';--> statement-breakpoint
CREATE INDEX `outbox_with_address` ON `outbox` (`created_at`) WHERE recipient <> '';--> statement-breakpoint
CREATE INDEX `subscribers_waiting` ON `subscribers` (`consent_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `subscribers_left` ON `subscribers` (`unsubscribed_at`) WHERE state = 'unsubscribed';--> statement-breakpoint
CREATE INDEX `ledger_listens` ON `ledger` (`created_at`) WHERE action = 'track_stream' and points > 0 and description <> 'Listened to a track';--> statement-breakpoint
-- The ledger is append-only with two exceptions: a generic description may replace one, and an old stream's key may lose
-- its track. User, action, points and time cannot change.
DROP TRIGGER ledger_is_append_only_update;
--> statement-breakpoint
CREATE TRIGGER ledger_is_append_only_update BEFORE UPDATE ON ledger
WHEN NOT (
  NEW.id = OLD.id AND NEW.user_id = OLD.user_id AND NEW.action = OLD.action AND NEW.points = OLD.points
  AND NEW.created_at = OLD.created_at
  AND (NEW.description = OLD.description
    OR NEW.description IN ('Voted in a poll', 'Created a poll', 'Taken back', 'Listened to a track'))
  AND (NEW.key = OLD.key OR (OLD.action = 'track_stream' AND (
    (OLD.points > 0 AND NEW.key = 'track_stream:anonymous:' || OLD.id)
    OR (OLD.points < 0 AND NEW.key GLOB 'undo:track_stream:anonymous:*'))))
) BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
-- The audit log is append-only except for the reason of an action, which may name an erased user.
DROP TRIGGER audit_log_is_append_only_update;
--> statement-breakpoint
CREATE TRIGGER audit_log_is_append_only_update BEFORE UPDATE ON audit_log
WHEN NOT (
  NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.actor_id = OLD.actor_id AND NEW.action = OLD.action
  AND NEW.subject = OLD.subject AND NEW.detail = json_remove(OLD.detail, '$.reason')
) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
