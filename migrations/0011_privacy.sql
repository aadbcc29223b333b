CREATE TABLE `privacy_inquiries` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`message` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`answered_at` integer,
	`answer` text,
	CONSTRAINT "privacy_inquiries_answer" CHECK(("privacy_inquiries"."answered_at" is null) = ("privacy_inquiries"."answer" is null))
);
--> statement-breakpoint
CREATE INDEX `privacy_inquiries_open` ON `privacy_inquiries` (`due_at`,`id`) WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX `privacy_inquiries_answered` ON `privacy_inquiries` ("answered_at" desc,`id`) WHERE answered_at is not null;--> statement-breakpoint
CREATE INDEX `privacy_inquiries_by_address` ON `privacy_inquiries` (`email_key`,`created_at`);--> statement-breakpoint
CREATE TABLE `job_runs` (
	`job` text NOT NULL,
	`started_at` integer NOT NULL,
	`affected` integer NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`job`, `started_at`),
	CONSTRAINT "job_runs_state" CHECK("job_runs"."state" in ('done', 'more', 'failed'))
);
--> statement-breakpoint
ALTER TABLE `users` ADD `inactivity_warned_at` integer;--> statement-breakpoint
CREATE INDEX `users_by_activity` ON `users` (`last_active_at`) WHERE erased_at is null;