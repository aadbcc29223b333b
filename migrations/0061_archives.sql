CREATE TABLE `archive_entries` (
	`archive_id` text NOT NULL,
	`path` text NOT NULL,
	`position` integer NOT NULL,
	`source` text NOT NULL,
	`etag` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text,
	`rows` integer,
	`metadata` text,
	`offset` integer,
	PRIMARY KEY(`archive_id`, `path`),
	FOREIGN KEY (`archive_id`) REFERENCES `archives`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `archive_entries_in_order` ON `archive_entries` (`archive_id`,`position`);--> statement-breakpoint
CREATE INDEX `archive_entries_by_offset` ON `archive_entries` (`archive_id`,`offset`);--> statement-breakpoint
CREATE INDEX `archive_entries_to_digest` ON `archive_entries` (`archive_id`,`position`) WHERE sha256 is null;--> statement-breakpoint
CREATE TABLE `archive_parts` (
	`archive_id` text NOT NULL,
	`part` integer NOT NULL,
	`etag` text NOT NULL,
	PRIMARY KEY(`archive_id`, `part`),
	FOREIGN KEY (`archive_id`) REFERENCES `archives`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `archives` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text DEFAULT 'running' NOT NULL,
	`requested_by` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`progress` text NOT NULL,
	`restarts` integer DEFAULT 0 NOT NULL,
	`upload_id` text,
	`age_header` text,
	`age_key` text,
	`rows` integer,
	`files` integer,
	`size_bytes` integer,
	`finished_at` integer,
	`expires_at` integer,
	FOREIGN KEY (`requested_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "archives_state" CHECK("archives"."state" in ('running', 'ready', 'failed')),
	CONSTRAINT "archives_ready" CHECK("archives"."state" <> 'ready' or ("archives"."size_bytes" is not null and "archives"."age_key" is null))
);
--> statement-breakpoint
CREATE INDEX `archives_newest` ON `archives` (`created_at`);--> statement-breakpoint
CREATE TABLE `recent_erasures` (
	`key` text PRIMARY KEY NOT NULL,
	`erased_at` integer NOT NULL,
	`copied_at` integer
);
--> statement-breakpoint
CREATE INDEX `recent_erasures_by_age` ON `recent_erasures` (`erased_at`);