CREATE TABLE `link_previews` (
	`url` text PRIMARY KEY NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`site_name` text DEFAULT '' NOT NULL,
	`asked_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`fetched_at` integer
);
--> statement-breakpoint
CREATE INDEX `link_previews_due` ON `link_previews` (`asked_at`) WHERE fetched_at is null;--> statement-breakpoint
ALTER TABLE `posts` ADD `picture_id` text REFERENCES uploads(id);--> statement-breakpoint
ALTER TABLE `posts` ADD `picture_alt` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `link_url` text;--> statement-breakpoint
CREATE UNIQUE INDEX `posts_by_picture` ON `posts` (`picture_id`) WHERE picture_id is not null;--> statement-breakpoint
CREATE INDEX `posts_by_link` ON `posts` (`link_url`) WHERE link_url is not null;--> statement-breakpoint
ALTER TABLE `uploads` ADD `is_dropped` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `uploads_dropped` ON `uploads` (`created_at`) WHERE is_dropped = 1;--> statement-breakpoint
-- Removing a post clears its image and link.
CREATE TRIGGER posts_let_go AFTER UPDATE OF removed_at ON posts
WHEN OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL BEGIN
  UPDATE posts SET picture_id = NULL, picture_alt = '', link_url = NULL WHERE id = NEW.id;
END;
--> statement-breakpoint
-- The five-minute job deletes the file of an image that its post no longer shows.
CREATE TRIGGER posts_drop_picture AFTER UPDATE OF picture_id ON posts
WHEN OLD.picture_id IS NOT NULL AND NEW.picture_id IS NOT OLD.picture_id BEGIN
  UPDATE uploads SET is_dropped = 1 WHERE id = OLD.picture_id;
END;
--> statement-breakpoint
-- A link preview is deleted with the last post that has the link.
CREATE TRIGGER posts_drop_link AFTER UPDATE OF link_url ON posts
WHEN OLD.link_url IS NOT NULL AND NEW.link_url IS NOT OLD.link_url BEGIN
  DELETE FROM link_previews WHERE url = OLD.link_url AND NOT EXISTS (SELECT 1 FROM posts WHERE link_url = OLD.link_url);
END;
