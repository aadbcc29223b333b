CREATE TABLE `revenue_days` (
	`day` text PRIMARY KEY NOT NULL,
	`cents` integer NOT NULL,
	`orders` integer NOT NULL,
	CONSTRAINT "revenue_days_sums" CHECK("revenue_days"."cents" >= 0 and "revenue_days"."orders" >= 0)
);
--> statement-breakpoint
CREATE TABLE `supporter_days` (
	`tier` text NOT NULL,
	`day` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`tier`, `day`),
	CONSTRAINT "supporter_days_people" CHECK("supporter_days"."people" >= 0)
);
--> statement-breakpoint
CREATE TABLE `city_demand` (
	`city_key` text PRIMARY KEY NOT NULL,
	`city` text NOT NULL,
	`people` integer NOT NULL,
	CONSTRAINT "city_demand_people" CHECK("city_demand"."people" >= 0)
);
--> statement-breakpoint
CREATE INDEX `city_demand_most` ON `city_demand` ("people" desc,`city_key`);--> statement-breakpoint
CREATE TABLE `csv_links` (
	`id` text PRIMARY KEY NOT NULL,
	`sender_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`uses` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`sender_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "csv_links_uses" CHECK("csv_links"."uses" between 0 and 5)
);
--> statement-breakpoint
CREATE INDEX `csv_links_age` ON `csv_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `exports` (
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
	FOREIGN KEY (`requested_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "exports_kind" CHECK("exports"."kind" in ('supporters', 'newsletter', 'orders', 'verse-submissions', 'golden-verse-votes', 'points')),
	CONSTRAINT "exports_state" CHECK("exports"."state" in ('waiting', 'running', 'ready', 'failed')),
	CONSTRAINT "exports_ready" CHECK("exports"."state" <> 'ready' or ("exports"."sha256" is not null and "exports"."expires_at" is not null))
);
--> statement-breakpoint
CREATE INDEX `exports_newest` ON `exports` (`requested_at`);--> statement-breakpoint
CREATE INDEX `exports_age` ON `exports` (`expires_at`);--> statement-breakpoint
ALTER TABLE `concerts` ADD `removed_at` integer;--> statement-breakpoint
ALTER TABLE `products` ADD `removed_at` integer;--> statement-breakpoint
ALTER TABLE `tracks` ADD `removed_at` integer;--> statement-breakpoint
CREATE INDEX `users_administrators` ON `users` (`id`) WHERE role = 'administrator';--> statement-breakpoint
CREATE INDEX `track_days_by_day` ON `track_days` (`day`,`plays`);--> statement-breakpoint
-- Denormalized totals of the dashboard: filled from existing rows, then maintained by triggers.
INSERT INTO supporter_days (tier, day, people)
SELECT tier, strftime('%Y-%m-%d', created_at / 1000, 'unixepoch'), count(*) FROM users
WHERE role = 'supporter' AND is_demo_login = 0 AND erased_at IS NULL GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO revenue_days (day, cents, orders)
SELECT strftime('%Y-%m-%d', coalesce(paid_at, created_at) / 1000, 'unixepoch'), sum(amount_cents - refunded_cents), count(*) FROM orders
WHERE status = 'paid' GROUP BY 1;
--> statement-breakpoint
INSERT INTO city_demand (city_key, city, people) SELECT city_key, min(city), count(*) FROM city_requests GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER users_count_add AFTER INSERT ON users
WHEN NEW.role = 'supporter' AND NEW.is_demo_login = 0 AND NEW.erased_at IS NULL BEGIN
  INSERT INTO supporter_days (tier, day, people)
  VALUES (NEW.tier, strftime('%Y-%m-%d', NEW.created_at / 1000, 'unixepoch'), 1)
  ON CONFLICT (tier, day) DO UPDATE SET people = people + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_count_change AFTER UPDATE OF role, tier, is_demo_login, erased_at, created_at ON users BEGIN
  UPDATE supporter_days SET people = people - 1
  WHERE tier = OLD.tier AND day = strftime('%Y-%m-%d', OLD.created_at / 1000, 'unixepoch')
    AND OLD.role = 'supporter' AND OLD.is_demo_login = 0 AND OLD.erased_at IS NULL;
  INSERT INTO supporter_days (tier, day, people)
  SELECT NEW.tier, strftime('%Y-%m-%d', NEW.created_at / 1000, 'unixepoch'), 1
  WHERE NEW.role = 'supporter' AND NEW.is_demo_login = 0 AND NEW.erased_at IS NULL
  ON CONFLICT (tier, day) DO UPDATE SET people = people + 1;
END;
--> statement-breakpoint
CREATE TRIGGER orders_count_add AFTER INSERT ON orders WHEN NEW.status = 'paid' BEGIN
  INSERT INTO revenue_days (day, cents, orders)
  VALUES (strftime('%Y-%m-%d', coalesce(NEW.paid_at, NEW.created_at) / 1000, 'unixepoch'), NEW.amount_cents - NEW.refunded_cents, 1)
  ON CONFLICT (day) DO UPDATE SET cents = cents + excluded.cents, orders = orders + 1;
END;
--> statement-breakpoint
CREATE TRIGGER orders_count_change AFTER UPDATE OF status, amount_cents, refunded_cents, paid_at, created_at ON orders BEGIN
  UPDATE revenue_days SET cents = cents - (OLD.amount_cents - OLD.refunded_cents), orders = orders - 1
  WHERE OLD.status = 'paid' AND day = strftime('%Y-%m-%d', coalesce(OLD.paid_at, OLD.created_at) / 1000, 'unixepoch');
  INSERT INTO revenue_days (day, cents, orders)
  SELECT strftime('%Y-%m-%d', coalesce(NEW.paid_at, NEW.created_at) / 1000, 'unixepoch'), NEW.amount_cents - NEW.refunded_cents, 1
  WHERE NEW.status = 'paid'
  ON CONFLICT (day) DO UPDATE SET cents = cents + excluded.cents, orders = orders + 1;
END;
--> statement-breakpoint
CREATE TRIGGER orders_count_remove AFTER DELETE ON orders WHEN OLD.status = 'paid' BEGIN
  UPDATE revenue_days SET cents = cents - (OLD.amount_cents - OLD.refunded_cents), orders = orders - 1
  WHERE day = strftime('%Y-%m-%d', coalesce(OLD.paid_at, OLD.created_at) / 1000, 'unixepoch');
END;
--> statement-breakpoint
CREATE TRIGGER city_requests_add AFTER INSERT ON city_requests BEGIN
  INSERT INTO city_demand (city_key, city, people) VALUES (NEW.city_key, NEW.city, 1)
  ON CONFLICT (city_key) DO UPDATE SET people = people + 1;
END;
--> statement-breakpoint
CREATE TRIGGER city_requests_remove AFTER DELETE ON city_requests BEGIN
  UPDATE city_demand SET people = people - 1 WHERE city_key = OLD.city_key;
  DELETE FROM city_demand WHERE city_key = OLD.city_key AND people = 0;
END;
--> statement-breakpoint
-- Trigram index: finds supporters by any three letters of name or address. With secure-delete, erased text leaves the
-- index too.
CREATE VIRTUAL TABLE supporter_search USING fts5 (username, email, content = 'users', content_rowid = 'id', tokenize = 'trigram');
--> statement-breakpoint
INSERT INTO supporter_search (supporter_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO supporter_search (supporter_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER users_search_add AFTER INSERT ON users BEGIN
  INSERT INTO supporter_search (rowid, username, email) VALUES (NEW.id, NEW.username, NEW.email);
END;
--> statement-breakpoint
CREATE TRIGGER users_search_change AFTER UPDATE OF username, email ON users BEGIN
  INSERT INTO supporter_search (supporter_search, rowid, username, email) VALUES ('delete', OLD.id, OLD.username, OLD.email);
  INSERT INTO supporter_search (rowid, username, email) VALUES (NEW.id, NEW.username, NEW.email);
END;
