CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`owner_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`multipart_id` text,
	`stored_at` integer,
	`content_type` text,
	`size_bytes` integer,
	`width` integer,
	`height` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "uploads_kind" CHECK("uploads"."kind" in ('picture', 'audio')),
	CONSTRAINT "uploads_stored" CHECK("uploads"."stored_at" is null or ("uploads"."content_type" is not null and "uploads"."size_bytes" > 0))
);
--> statement-breakpoint
CREATE INDEX `uploads_by_owner` ON `uploads` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `uploads_age` ON `uploads` (`created_at`);