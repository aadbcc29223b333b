ALTER TABLE `outbox` ADD `recipient_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `queued_at` integer;--> statement-breakpoint
ALTER TABLE `outbox` ADD `claimed_at` integer;--> statement-breakpoint
ALTER TABLE `outbox` ADD `provider_id` text;--> statement-breakpoint
CREATE INDEX `outbox_to_send` ON `outbox` (`due_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `outbox_of_mailbox` ON `outbox` (`recipient_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_of_kind` ON `outbox` (`kind`,`created_at`);