CREATE TABLE `download_files` (
	`id` text PRIMARY KEY NOT NULL,
	`good` text NOT NULL,
	`format` text NOT NULL,
	`fingerprint` text NOT NULL,
	`file_name` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`created_at` integer NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`multipart_id` text,
	`parts` text DEFAULT '[]' NOT NULL,
	`size_bytes` integer,
	`superseded_at` integer,
	CONSTRAINT "download_files_state" CHECK("download_files"."state" in ('waiting', 'running', 'ready')),
	CONSTRAINT "download_files_ready" CHECK(("download_files"."state" = 'ready') = ("download_files"."size_bytes" is not null)),
	CONSTRAINT "download_files_parts" CHECK(json_valid("download_files"."parts"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `download_files_current` ON `download_files` (`good`,`format`,`fingerprint`) WHERE superseded_at is null;--> statement-breakpoint
CREATE INDEX `download_files_due` ON `download_files` (`leased_until`) WHERE state <> 'ready' and superseded_at is null;--> statement-breakpoint
CREATE INDEX `download_files_superseded` ON `download_files` (`superseded_at`) WHERE superseded_at is not null;--> statement-breakpoint
CREATE TRIGGER download_files_public_insert AFTER INSERT ON download_files BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
-- The progress of an upload is not public.
CREATE TRIGGER download_files_public_update AFTER UPDATE OF state, superseded_at ON download_files BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER download_files_public_delete AFTER DELETE ON download_files BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
-- A release's address can change until it is public; what sells it follows.
CREATE TRIGGER releases_slug_of_variants AFTER UPDATE OF slug ON releases WHEN NEW.slug <> OLD.slug BEGIN
  UPDATE product_variants SET release_slug = NEW.slug WHERE release_slug = OLD.slug;
END;
