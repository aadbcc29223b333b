ALTER TABLE `download_codes` ADD `user_id` integer REFERENCES users(id);--> statement-breakpoint
CREATE INDEX `download_codes_by_user` ON `download_codes` (`user_id`) WHERE user_id is not null;