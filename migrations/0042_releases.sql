CREATE TABLE `release_tracks` (
	`release_id` text NOT NULL,
	`position` integer NOT NULL,
	`track_id` integer NOT NULL,
	PRIMARY KEY(`release_id`, `position`),
	FOREIGN KEY (`release_id`) REFERENCES `releases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`track_id`) REFERENCES `tracks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `release_tracks_by_track` ON `release_tracks` (`track_id`,`release_id`);--> statement-breakpoint
CREATE TABLE `releases` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`artist` text NOT NULL,
	`kind` text NOT NULL,
	`cover_url` text NOT NULL,
	`cover_alt` text NOT NULL,
	`released_at` integer NOT NULL,
	`is_announced` integer DEFAULT false NOT NULL,
	`notes` text DEFAULT '' NOT NULL,
	`credits` text DEFAULT '[]' NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`upc` text DEFAULT '' NOT NULL,
	`is_explicit` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`removed_at` integer,
	CONSTRAINT "releases_kind" CHECK("releases"."kind" in ('single', 'ep', 'album'))
);
--> statement-breakpoint
CREATE INDEX `releases_by_time` ON `releases` (`released_at`);--> statement-breakpoint
ALTER TABLE `tracks` ADD `slug` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `tracks` ADD `isrc` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `tracks` ADD `lyrics` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `tracks` ADD `credits` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `tracks_by_release` ON `tracks` (`released_at`);--> statement-breakpoint
-- Slugs: the ASCII letters and digits of the title, with one hyphen for what is between them.
UPDATE tracks SET slug = (
  WITH RECURSIVE letters (i, slug) AS (
    SELECT 1, '' UNION ALL
    SELECT i + 1, slug || CASE WHEN substr(lower(title), i, 1) GLOB '[a-z0-9]' THEN substr(lower(title), i, 1)
      WHEN slug = '' OR slug LIKE '%-' THEN '' ELSE '-' END
    FROM letters WHERE i <= length(title))
  SELECT rtrim(slug, '-') FROM letters ORDER BY i DESC LIMIT 1);--> statement-breakpoint
UPDATE tracks SET slug = trim(slug || '-' || id, '-')
  WHERE slug = '' OR EXISTS (SELECT 1 FROM tracks other WHERE other.slug = tracks.slug AND other.id < tracks.id);--> statement-breakpoint
-- Each album becomes a release, and each track without one a single.
INSERT INTO releases (id, slug, title, artist, kind, cover_url, cover_alt, released_at, removed_at)
  SELECT 'release_a' || id, '', album, artist, 'album', cover_url, cover_alt, min_released_at, iif(shown = 0, last_removed_at, NULL)
  FROM (SELECT *, row_number() OVER (PARTITION BY album ORDER BY removed_at IS NOT NULL, position, id) AS place,
      min(released_at) OVER (PARTITION BY album) AS min_released_at,
      max(removed_at) OVER (PARTITION BY album) AS last_removed_at,
      sum(removed_at IS NULL) OVER (PARTITION BY album) AS shown
    FROM tracks WHERE album <> '') WHERE place = 1
  UNION ALL
  SELECT 'release_s' || id, '', title, artist, 'single', cover_url, cover_alt, released_at, removed_at FROM tracks WHERE album = '';--> statement-breakpoint
UPDATE releases SET slug = (
  WITH RECURSIVE letters (i, slug) AS (
    SELECT 1, '' UNION ALL
    SELECT i + 1, slug || CASE WHEN substr(lower(title), i, 1) GLOB '[a-z0-9]' THEN substr(lower(title), i, 1)
      WHEN slug = '' OR slug LIKE '%-' THEN '' ELSE '-' END
    FROM letters WHERE i <= length(title))
  SELECT rtrim(slug, '-') FROM letters ORDER BY i DESC LIMIT 1);--> statement-breakpoint
UPDATE releases SET slug = trim(slug || '-' || id, '-')
  WHERE slug = '' OR EXISTS (SELECT 1 FROM releases other WHERE other.slug = releases.slug AND other.id < releases.id);--> statement-breakpoint
UPDATE releases SET slug = replace(slug, '_', '-');--> statement-breakpoint
INSERT INTO release_tracks (release_id, position, track_id)
  SELECT releases.id, row_number() OVER (PARTITION BY releases.id ORDER BY tracks.position, tracks.id), tracks.id
  FROM tracks JOIN releases ON releases.kind = 'album' AND releases.title = tracks.album
    OR releases.id = 'release_s' || tracks.id;--> statement-breakpoint
CREATE UNIQUE INDEX `releases_slug` ON `releases` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `tracks_slug` ON `tracks` (`slug`) WHERE "tracks"."slug" <> '';--> statement-breakpoint
-- A track is public from the earliest time of its releases; never (the last date of JavaScript) without one.
CREATE TRIGGER release_tracks_date_add AFTER INSERT ON release_tracks BEGIN
  UPDATE tracks SET released_at = coalesce((
    SELECT min(r.released_at) FROM release_tracks rt JOIN releases r ON r.id = rt.release_id
    WHERE rt.track_id = tracks.id AND r.removed_at IS NULL), 8640000000000000)
  WHERE id = NEW.track_id;
END;--> statement-breakpoint
CREATE TRIGGER release_tracks_date_remove AFTER DELETE ON release_tracks BEGIN
  UPDATE tracks SET released_at = coalesce((
    SELECT min(r.released_at) FROM release_tracks rt JOIN releases r ON r.id = rt.release_id
    WHERE rt.track_id = tracks.id AND r.removed_at IS NULL), 8640000000000000)
  WHERE id = OLD.track_id;
END;--> statement-breakpoint
CREATE TRIGGER releases_date_change AFTER UPDATE OF released_at, removed_at ON releases BEGIN
  UPDATE tracks SET released_at = coalesce((
    SELECT min(r.released_at) FROM release_tracks rt JOIN releases r ON r.id = rt.release_id
    WHERE rt.track_id = tracks.id AND r.removed_at IS NULL), 8640000000000000)
  WHERE id IN (SELECT track_id FROM release_tracks WHERE release_id = NEW.id);
END;--> statement-breakpoint
CREATE TRIGGER releases_public_insert AFTER INSERT ON releases BEGIN
  UPDATE data_version SET version = version + 1;
END;--> statement-breakpoint
CREATE TRIGGER releases_public_update AFTER UPDATE ON releases BEGIN
  UPDATE data_version SET version = version + 1;
END;--> statement-breakpoint
CREATE TRIGGER releases_public_delete AFTER DELETE ON releases BEGIN
  UPDATE data_version SET version = version + 1;
END;--> statement-breakpoint
CREATE TRIGGER release_tracks_public_insert AFTER INSERT ON release_tracks BEGIN
  UPDATE data_version SET version = version + 1;
END;--> statement-breakpoint
CREATE TRIGGER release_tracks_public_update AFTER UPDATE ON release_tracks BEGIN
  UPDATE data_version SET version = version + 1;
END;--> statement-breakpoint
CREATE TRIGGER release_tracks_public_delete AFTER DELETE ON release_tracks BEGIN
  UPDATE data_version SET version = version + 1;
END;
