CREATE TABLE `product_view_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`day` text NOT NULL,
	`counted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `product_view_messages_by_age` ON `product_view_messages` (`counted_at`);--> statement-breakpoint
CREATE TABLE `product_views` (
	`day` text NOT NULL,
	`product_id` text NOT NULL,
	`views` integer NOT NULL,
	PRIMARY KEY(`day`, `product_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "product_views_count" CHECK("product_views"."views" > 0)
);
--> statement-breakpoint
-- A new kind: docs/decisions/0013-csv-exports.md
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_exports` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`requested_by` integer NOT NULL,
	`requested_at` integer NOT NULL,
	`upload_id` text,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`rows` integer,
	`size_bytes` integer,
	`sha256` text,
	`finished_at` integer,
	`expires_at` integer,
	`removed_at` integer,
	`columns` text,
	`emails_link` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`requested_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "exports_kind" CHECK("__new_exports"."kind" in ('supporters', 'newsletter', 'orders', 'order-lines', 'verse-submissions', 'golden-verse-votes', 'points')),
	CONSTRAINT "exports_state" CHECK("__new_exports"."state" in ('waiting', 'running', 'ready', 'failed')),
	CONSTRAINT "exports_ready" CHECK("__new_exports"."state" <> 'ready' or ("__new_exports"."sha256" is not null and "__new_exports"."expires_at" is not null))
);
--> statement-breakpoint
INSERT INTO `__new_exports`("id", "kind", "state", "requested_by", "requested_at", "upload_id", "leased_until", "rows", "size_bytes", "sha256", "finished_at", "expires_at", "removed_at", "columns", "emails_link") SELECT "id", "kind", "state", "requested_by", "requested_at", "upload_id", "leased_until", "rows", "size_bytes", "sha256", "finished_at", "expires_at", "removed_at", "columns", "emails_link" FROM `exports`;--> statement-breakpoint
DROP TABLE `exports`;--> statement-breakpoint
ALTER TABLE `__new_exports` RENAME TO `exports`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `exports_newest` ON `exports` (`requested_at`);--> statement-breakpoint
CREATE INDEX `exports_age` ON `exports` (`expires_at`);--> statement-breakpoint
ALTER TABLE `site` ADD `low_stock_threshold` integer DEFAULT 3 NOT NULL;
--> statement-breakpoint
-- Counts each message in the statement that records it.
CREATE TRIGGER product_view_messages_count AFTER INSERT ON product_view_messages BEGIN
  INSERT INTO product_views (day, product_id, views) VALUES (NEW.day, NEW.product_id, 1)
  ON CONFLICT (day, product_id) DO UPDATE SET views = views + 1;
END;
