CREATE TABLE `broadcasts` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`markdown` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`audience` text NOT NULL,
	`audience_value` text,
	`audience_key` text,
	`origin` text NOT NULL,
	`state` text DEFAULT 'draft' NOT NULL,
	`scheduled_at` integer,
	`started_at` integer,
	`cursor` text DEFAULT '' NOT NULL,
	`listed_at` integer,
	`finished_at` integer,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`created_by` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "broadcasts_audience" CHECK("broadcasts"."audience" in ('all', 'city', 'tier', 'alerts')),
	CONSTRAINT "broadcasts_audience_key" CHECK(("broadcasts"."audience" in ('all')) = ("broadcasts"."audience_key" is null)),
	CONSTRAINT "broadcasts_state" CHECK("broadcasts"."state" in ('draft', 'scheduled', 'sending', 'done', 'cancelled'))
);
--> statement-breakpoint
CREATE INDEX `broadcasts_newest` ON `broadcasts` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `broadcasts_under_way` ON `broadcasts` (`scheduled_at`) WHERE state in ('scheduled', 'sending');--> statement-breakpoint
CREATE TABLE `suppressions` (
	`hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `show_alerts` ADD `city` text;--> statement-breakpoint
ALTER TABLE `show_alerts` ADD `city_key` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `broadcast_id` text;--> statement-breakpoint
CREATE INDEX `outbox_of_broadcast` ON `outbox` (`broadcast_id`,`state`,`due_at`) WHERE broadcast_id is not null;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `city` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `city_key` text;--> statement-breakpoint
CREATE INDEX `subscribers_by_city` ON `subscribers` (`city_key`,`id`) WHERE city_key is not null;