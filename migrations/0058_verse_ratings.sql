CREATE TABLE `verse_ratings` (
	`submission_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`rating` integer NOT NULL,
	`rated_at` integer NOT NULL,
	PRIMARY KEY(`submission_id`, `user_id`),
	FOREIGN KEY (`submission_id`) REFERENCES `verse_submissions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verse_ratings_range" CHECK("verse_ratings"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE INDEX `verse_ratings_by_user` ON `verse_ratings` (`user_id`);