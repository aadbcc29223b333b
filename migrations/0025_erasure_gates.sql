CREATE TABLE `referrals_had` (
	`hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `users` ADD `erase_failed_at` integer;--> statement-breakpoint
CREATE INDEX `users_to_erase` ON `users` (`erase_failed_at`) WHERE erase_failed_at is not null;--> statement-breakpoint
ALTER TABLE `orders` ADD `shipped_at` integer;--> statement-breakpoint
ALTER TABLE `polls` ADD `official` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `polls` SET `official` = 1 WHERE `created_by` IN (SELECT `id` FROM `users` WHERE `role` = 'administrator');--> statement-breakpoint
CREATE INDEX `payment_events_by_age` ON `payment_events` (`received_at`);--> statement-breakpoint
CREATE INDEX `payment_events_of_order` ON `payment_events` (`order_id`) WHERE order_id is not null;