CREATE TABLE `track_master_parts` (
	`master_id` text NOT NULL,
	`part` integer NOT NULL,
	`etag` text NOT NULL,
	PRIMARY KEY(`master_id`, `part`),
	FOREIGN KEY (`master_id`) REFERENCES `track_masters`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `track_masters` (
	`id` text PRIMARY KEY NOT NULL,
	`track_id` integer NOT NULL,
	`owner_id` integer,
	`file_name` text NOT NULL,
	`fingerprint` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`content_type` text NOT NULL,
	`multipart_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`stored_at` integer,
	`dropped_at` integer,
	FOREIGN KEY (`track_id`) REFERENCES `tracks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "track_masters_size" CHECK("track_masters"."size_bytes" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `track_masters_stored` ON `track_masters` (`track_id`) WHERE stored_at is not null and dropped_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `track_masters_uploading` ON `track_masters` (`track_id`,`fingerprint`) WHERE stored_at is null and dropped_at is null;--> statement-breakpoint
CREATE INDEX `track_masters_by_owner` ON `track_masters` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `track_masters_unfinished` ON `track_masters` (`updated_at`) WHERE stored_at is null or dropped_at is not null;