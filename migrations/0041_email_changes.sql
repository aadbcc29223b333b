CREATE TABLE `email_changes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`new_email` text NOT NULL,
	`expires_at` integer NOT NULL,
	`confirmed_at` integer,
	`old_email` text,
	`old_email_key` text,
	`undo_hash` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_changes_undo_hash_unique` ON `email_changes` (`undo_hash`);--> statement-breakpoint
CREATE INDEX `email_changes_of_user` ON `email_changes` (`user_id`);--> statement-breakpoint
CREATE INDEX `email_changes_age` ON `email_changes` (`expires_at`);--> statement-breakpoint
CREATE INDEX `email_changes_by_old_address` ON `email_changes` (`old_email_key`) WHERE old_email_key is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `referral_disqualified_at` integer;--> statement-breakpoint
CREATE INDEX `users_unconfirmed` ON `users` (`last_active_at`) WHERE email_verified_at is null and email is not null and erased_at is null;--> statement-breakpoint
-- Unconfirmed accounts are erased after a week without a visit. Those that exist have the week from now.
UPDATE users SET last_active_at = max(last_active_at, unixepoch() * 1000)
WHERE email_verified_at IS NULL AND email IS NOT NULL AND erased_at IS NULL;
