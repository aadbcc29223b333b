CREATE TABLE `data_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "data_version_single" CHECK("data_version"."id" = 1)
);

--> statement-breakpoint
INSERT INTO data_version (id, version) VALUES (1, 1);
--> statement-breakpoint
-- Every change of public content increments the version. An update of counters alone does not: WHEN lists the counters,
-- so that a column added later counts as content.
CREATE TRIGGER challenge_finalists_public_insert AFTER INSERT ON challenge_finalists BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER challenge_finalists_public_update AFTER UPDATE ON challenge_finalists
WHEN OLD.votes = NEW.votes BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER challenge_finalists_public_delete AFTER DELETE ON challenge_finalists BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER challenges_public_insert AFTER INSERT ON challenges BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER challenges_public_update AFTER UPDATE ON challenges BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER challenges_public_delete AFTER DELETE ON challenges BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER concerts_public_insert AFTER INSERT ON concerts BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER concerts_public_update AFTER UPDATE ON concerts BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER concerts_public_delete AFTER DELETE ON concerts BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER missions_public_insert AFTER INSERT ON missions BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER missions_public_update AFTER UPDATE ON missions BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER missions_public_delete AFTER DELETE ON missions BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER poll_options_public_insert AFTER INSERT ON poll_options BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER poll_options_public_update AFTER UPDATE ON poll_options
WHEN OLD.votes = NEW.votes BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER poll_options_public_delete AFTER DELETE ON poll_options BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER polls_public_insert AFTER INSERT ON polls BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER polls_public_update AFTER UPDATE ON polls BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER polls_public_delete AFTER DELETE ON polls BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER product_images_public_insert AFTER INSERT ON product_images BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER product_images_public_update AFTER UPDATE ON product_images BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER product_images_public_delete AFTER DELETE ON product_images BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER products_public_insert AFTER INSERT ON products BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER products_public_update AFTER UPDATE ON products BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER products_public_delete AFTER DELETE ON products BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER site_public_insert AFTER INSERT ON site BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER site_public_update AFTER UPDATE ON site BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER site_public_delete AFTER DELETE ON site BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER social_posts_public_insert AFTER INSERT ON social_posts BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER social_posts_public_update AFTER UPDATE ON social_posts BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER social_posts_public_delete AFTER DELETE ON social_posts BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER tiers_public_insert AFTER INSERT ON tiers BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER tiers_public_update AFTER UPDATE ON tiers BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER tiers_public_delete AFTER DELETE ON tiers BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER tracks_public_insert AFTER INSERT ON tracks BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER tracks_public_update AFTER UPDATE ON tracks
WHEN OLD.plays = NEW.plays AND OLD.likes = NEW.likes BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER tracks_public_delete AFTER DELETE ON tracks BEGIN
  UPDATE data_version SET version = version + 1;
END;
