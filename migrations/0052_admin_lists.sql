CREATE TABLE `export_schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`columns` text,
	`next_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `export_schedules_due` ON `export_schedules` (`next_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `export_schedules_once` ON `export_schedules` (`user_id`,`kind`);--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`list` text NOT NULL,
	`name` text NOT NULL,
	`search` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_names` ON `saved_views` (`user_id`,`list`,`name`);--> statement-breakpoint
CREATE TABLE `supporter_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`author_id` integer NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `supporter_notes_of_user` ON `supporter_notes` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `supporter_notes_by_author` ON `supporter_notes` (`author_id`);--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `challenges` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `concerts` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `exports` ADD `columns` text;--> statement-breakpoint
ALTER TABLE `exports` ADD `emails_link` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `missions` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `polls` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `site` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `social_posts` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `tiers` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `tracks` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `users_supporters_by_points` ON `users` (`points`,`id`) WHERE role = 'supporter' and erased_at is null;--> statement-breakpoint
CREATE INDEX `users_banned` ON `users` (`id`) WHERE banned_at is not null;