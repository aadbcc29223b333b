ALTER TABLE `uploads` ADD `is_published` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Uploads so far were public at once; the cleanup job deletes those that nothing names within two days.
UPDATE `uploads` SET `is_published` = 1 WHERE `kind` = 'picture' AND `stored_at` IS NOT NULL;
