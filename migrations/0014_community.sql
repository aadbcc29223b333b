CREATE TABLE `post_likes` (
	`post_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`liked_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `user_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `post_likes_of_user` ON `post_likes` (`user_id`);--> statement-breakpoint
CREATE TABLE `post_reports` (
	`post_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `user_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `post_reports_newest` ON `post_reports` (`created_at`);--> statement-breakpoint
CREATE INDEX `post_reports_of_user` ON `post_reports` (`user_id`);--> statement-breakpoint
CREATE TABLE `posts` (
	`id` text PRIMARY KEY NOT NULL,
	`author_id` integer NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`text` text NOT NULL,
	`tier` text DEFAULT 'bronze' NOT NULL,
	`likes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	`removed_for` text,
	`reviewed_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "posts_likes" CHECK("posts"."likes" >= 0),
	CONSTRAINT "posts_tier" CHECK("posts"."tier" in ('bronze', 'silver', 'gold'))
);
--> statement-breakpoint
CREATE INDEX `posts_newest` ON `posts` (`tier`,`created_at`,`id`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `posts_by_author` ON `posts` (`author_id`,`created_at`);--> statement-breakpoint
CREATE TRIGGER post_likes_add AFTER INSERT ON post_likes BEGIN
  UPDATE posts SET likes = likes + 1 WHERE id = NEW.post_id;
END;
--> statement-breakpoint
CREATE TRIGGER post_likes_remove AFTER DELETE ON post_likes BEGIN
  UPDATE posts SET likes = likes - 1 WHERE id = OLD.post_id;
END;
--> statement-breakpoint
-- Removing a post reverses its points in the same statement, once: standing_acts has only entries that are not reversed.
CREATE TRIGGER posts_unpay AFTER UPDATE OF removed_at ON posts
WHEN OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL BEGIN
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT act.user_id, act.action, 'undo:' || act.key,
    CASE WHEN NEW.removed_for IS NULL THEN 'Removed a post' ELSE 'A post was removed: ' || NEW.removed_for END,
    -act.points, NEW.removed_at
  FROM standing_acts act WHERE act.user_id = NEW.author_id AND act.key = 'community_post:' || NEW.id
  ON CONFLICT DO NOTHING;
END;
