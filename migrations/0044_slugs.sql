ALTER TABLE `concerts` ADD `slug` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `concerts` ADD `region` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `concerts` ADD `postal_code` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `concerts` ADD `country` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `slug` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Slugs: ASCII letters and digits of venue and city, then the day. SQLite knows no IANA zones: standard offsets give the
-- local day of all but shows around midnight.
UPDATE concerts SET slug = coalesce(nullif((
  WITH RECURSIVE source (name) AS (SELECT replace(replace(lower(venue || ' ' || city), '''', ''), '’', '')),
    letters (i, slug) AS (
      SELECT 1, '' UNION ALL
      SELECT i + 1, slug || CASE WHEN substr(name, i, 1) GLOB '[a-z0-9]' THEN substr(name, i, 1)
        WHEN slug = '' OR slug LIKE '%-' THEN '' ELSE '-' END
      FROM letters, source WHERE i <= length(name))
  SELECT rtrim(substr(slug, 1, 60), '-') FROM letters ORDER BY i DESC LIMIT 1), ''), 'show') || '-' || date(starts_at / 1000, 'unixepoch', CASE
    WHEN time_zone = 'America/Chicago' THEN '-6 hours'
    WHEN time_zone IN ('America/Denver', 'America/Phoenix') THEN '-7 hours'
    WHEN time_zone IN ('America/Los_Angeles', 'America/Vancouver') THEN '-8 hours'
    WHEN time_zone = 'Pacific/Honolulu' THEN '-10 hours'
    WHEN time_zone LIKE 'America/%' THEN '-5 hours'
    WHEN time_zone LIKE 'Europe/%' THEN '+1 hours'
    WHEN time_zone LIKE 'Asia/%' THEN '+8 hours'
    WHEN time_zone LIKE 'Australia/%' THEN '+10 hours'
    ELSE '+0 hours' END);--> statement-breakpoint
UPDATE concerts SET slug = slug || '-' || lower(replace(id, '_', '-'))
  WHERE EXISTS (SELECT 1 FROM concerts other WHERE other.slug = concerts.slug AND other.rowid < concerts.rowid);--> statement-breakpoint
UPDATE products SET slug = coalesce(nullif((
  WITH RECURSIVE source (name) AS (SELECT replace(replace(lower(name), '''', ''), '’', '')),
    letters (i, slug) AS (
      SELECT 1, '' UNION ALL
      SELECT i + 1, slug || CASE WHEN substr(name, i, 1) GLOB '[a-z0-9]' THEN substr(name, i, 1)
        WHEN slug = '' OR slug LIKE '%-' THEN '' ELSE '-' END
      FROM letters, source WHERE i <= length(name))
  SELECT rtrim(substr(slug, 1, 60), '-') FROM letters ORDER BY i DESC LIMIT 1), ''), 'product');--> statement-breakpoint
UPDATE products SET slug = slug || '-' || lower(replace(id, '_', '-'))
  WHERE EXISTS (SELECT 1 FROM products other WHERE other.slug = products.slug AND other.rowid < products.rowid);--> statement-breakpoint
CREATE UNIQUE INDEX `concerts_slug` ON `concerts` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `products_slug` ON `products` (`slug`);--> statement-breakpoint
-- '1 Any Street, Tampa, FL 33602', also with ZIP+4.
UPDATE concerts SET region = substr(address, -8, 2), postal_code = substr(address, -5), country = 'US'
  WHERE address GLOB '*, [A-Z][A-Z] [0-9][0-9][0-9][0-9][0-9]';--> statement-breakpoint
UPDATE concerts SET region = substr(address, -13, 2), postal_code = substr(address, -10), country = 'US'
  WHERE substr(address, -15, 10) GLOB ', [A-Z][A-Z] [0-9][0-9][0-9][0-9][0-9]'
    AND substr(address, -5) GLOB '-[0-9][0-9][0-9][0-9]';
