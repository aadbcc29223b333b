CREATE TABLE `shipping_countries` (
	`country` text PRIMARY KEY NOT NULL,
	`zone_id` text NOT NULL,
	FOREIGN KEY (`zone_id`) REFERENCES `shipping_zones`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shipping_zones` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`countries` text NOT NULL,
	`methods` text NOT NULL,
	`position` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`removed_at` integer,
	CONSTRAINT "shipping_zones_kind" CHECK("shipping_zones"."kind" in ('shipping', 'pickup')),
	CONSTRAINT "shipping_zones_json" CHECK(json_valid("shipping_zones"."countries") and json_valid("shipping_zones"."methods"))
);
--> statement-breakpoint
CREATE TABLE `tax_rates` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`country` text NOT NULL,
	`region` text NOT NULL,
	`rate_per_100k` integer NOT NULL,
	`included` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`removed_at` integer,
	CONSTRAINT "tax_rates_rate" CHECK("tax_rates"."rate_per_100k" between 0 and 100000)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tax_rates_place` ON `tax_rates` (`country`,`region`) WHERE removed_at is null;--> statement-breakpoint
ALTER TABLE `site` ADD `currency` text DEFAULT 'USD' NOT NULL;--> statement-breakpoint
-- The primary key of `shipping_countries` rejects a country that another zone has.
CREATE TRIGGER shipping_zones_countries_add AFTER INSERT ON shipping_zones WHEN NEW.removed_at IS NULL BEGIN
  INSERT INTO shipping_countries (country, zone_id) SELECT value, NEW.id FROM json_each(NEW.countries);
END;
--> statement-breakpoint
CREATE TRIGGER shipping_zones_countries_change AFTER UPDATE OF countries, removed_at ON shipping_zones BEGIN
  DELETE FROM shipping_countries WHERE zone_id = OLD.id;
  INSERT INTO shipping_countries (country, zone_id)
  SELECT value, NEW.id FROM json_each(NEW.countries) WHERE NEW.removed_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER shipping_zones_public_insert AFTER INSERT ON shipping_zones BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER shipping_zones_public_update AFTER UPDATE ON shipping_zones BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER shipping_zones_public_delete AFTER DELETE ON shipping_zones BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
-- A site that exists ships everywhere for free until its team adds zones, as before.
INSERT INTO shipping_zones (id, name, kind, countries, methods, position)
SELECT 'everywhere', 'Everywhere', 'shipping', '["*"]',
  '[{"id":"everywhere-standard","name":"Standard","pricing":"items","baseCents":0,"perItemCents":0,"bands":[],"freeFromCents":null}]', 1
FROM site;
