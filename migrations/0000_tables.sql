CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text,
	`email_key` text,
	`email_verified_at` integer,
	`password_hash` text,
	`role` text DEFAULT 'supporter' NOT NULL,
	`tier` text DEFAULT 'bronze' NOT NULL,
	`points` integer DEFAULT 0 NOT NULL,
	`referral_code` text,
	`referred_by` integer,
	`phone_hash` text,
	`phone_last2` text,
	`leaderboard_opt_out` integer DEFAULT false NOT NULL,
	`session_epoch` integer DEFAULT 0 NOT NULL,
	`is_demo_login` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`last_active_at` integer NOT NULL,
	`banned_at` integer,
	`erased_at` integer,
	CONSTRAINT "users_role" CHECK("users"."role" in ('supporter', 'administrator')),
	CONSTRAINT "users_tier" CHECK("users"."tier" in ('bronze', 'silver', 'gold')),
	CONSTRAINT "users_points" CHECK("users"."points" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_key_unique` ON `users` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_referral_code_unique` ON `users` (`referral_code`);--> statement-breakpoint
CREATE INDEX `users_by_points` ON `users` ("points" desc,`id`) WHERE role = 'supporter' and leaderboard_opt_out = 0 and is_demo_login = 0 and banned_at is null and erased_at is null;--> statement-breakpoint
CREATE INDEX `users_supporters` ON `users` (`tier`,`created_at`) WHERE role = 'supporter' and is_demo_login = 0 and erased_at is null;--> statement-breakpoint
CREATE TABLE `challenge_ballots` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`challenge_id` text NOT NULL,
	`finalist_id` text NOT NULL,
	`cast_at` integer NOT NULL,
	`voter_pseudonym` text NOT NULL,
	FOREIGN KEY (`challenge_id`) REFERENCES `challenges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`finalist_id`) REFERENCES `challenge_finalists`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `challenge_ballots_tally` ON `challenge_ballots` (`challenge_id`,`finalist_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `challenge_ballots_once` ON `challenge_ballots` (`challenge_id`,`voter_pseudonym`);--> statement-breakpoint
CREATE TABLE `challenge_finalists` (
	`id` text PRIMARY KEY NOT NULL,
	`challenge_id` text NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`votes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`challenge_id`) REFERENCES `challenges`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "challenge_finalists_votes" CHECK("challenge_finalists"."votes" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `challenge_finalists_order` ON `challenge_finalists` (`challenge_id`,`position`);--> statement-breakpoint
CREATE TABLE `challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`prize` text NOT NULL,
	`submissions_from` text NOT NULL,
	`submissions_until` text NOT NULL,
	`finalists_on` text NOT NULL,
	`voting_from` text NOT NULL,
	`voting_until` text NOT NULL,
	`winner_on` text NOT NULL,
	`closed_on` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `challenges_by_end` ON `challenges` (`winner_on`);--> statement-breakpoint
CREATE TABLE `verse_submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`challenge_id` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone_number` text NOT NULL,
	`submitted_at` integer NOT NULL,
	FOREIGN KEY (`challenge_id`) REFERENCES `challenges`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `verse_submissions_when` ON `verse_submissions` (`challenge_id`,`submitted_at`);--> statement-breakpoint
CREATE TABLE `city_requests` (
	`city_key` text NOT NULL,
	`requester` text NOT NULL,
	`city` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`city_key`, `requester`)
);
--> statement-breakpoint
CREATE INDEX `city_requests_age` ON `city_requests` (`created_at`);--> statement-breakpoint
CREATE TABLE `concerts` (
	`id` text PRIMARY KEY NOT NULL,
	`city` text NOT NULL,
	`venue` text NOT NULL,
	`address` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`time_zone` text DEFAULT 'America/New_York' NOT NULL,
	`price_cents` integer NOT NULL,
	`tickets_available` integer,
	`is_sold_out` integer DEFAULT false NOT NULL,
	`has_vip` integer DEFAULT false NOT NULL,
	`image_url` text NOT NULL,
	`image_alt` text NOT NULL,
	CONSTRAINT "concerts_times" CHECK("concerts"."ends_at" > "concerts"."starts_at"),
	CONSTRAINT "concerts_price" CHECK("concerts"."price_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `concerts_when` ON `concerts` (`starts_at`,`id`);--> statement-breakpoint
CREATE TABLE `show_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL,
	`entry_key` text NOT NULL,
	`email_key` text,
	`confirmed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `show_alerts_entry_key_unique` ON `show_alerts` (`entry_key`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`state` text DEFAULT 'pending' NOT NULL,
	`consent_version` text NOT NULL,
	`consent_at` integer NOT NULL,
	`confirmed_at` integer,
	`unsubscribed_at` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "subscribers_state" CHECK("subscribers"."state" in ('pending', 'confirmed', 'unsubscribed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email_key_unique` ON `subscribers` (`email_key`);--> statement-breakpoint
CREATE INDEX `subscribers_by_state` ON `subscribers` (`state`,`created_at`);--> statement-breakpoint
CREATE TABLE `missions` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`points` integer NOT NULL,
	`action` text NOT NULL,
	`target` integer NOT NULL,
	`within_days` integer,
	`is_streak` integer DEFAULT false NOT NULL,
	`position` integer NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	CONSTRAINT "missions_target" CHECK("missions"."target" > 0),
	CONSTRAINT "missions_points" CHECK("missions"."points" >= 0)
);
--> statement-breakpoint
CREATE INDEX `missions_order` ON `missions` (`position`,`id`) WHERE is_active = 1;--> statement-breakpoint
CREATE TABLE `ledger` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`action` text NOT NULL,
	`key` text NOT NULL,
	`description` text NOT NULL,
	`points` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ledger_history` ON `ledger` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_by_action` ON `ledger` (`user_id`,`action`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_once` ON `ledger` (`user_id`,`key`);--> statement-breakpoint
CREATE TABLE `poll_options` (
	`id` text PRIMARY KEY NOT NULL,
	`poll_id` text NOT NULL,
	`title` text NOT NULL,
	`position` integer NOT NULL,
	`votes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`poll_id`) REFERENCES `polls`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "poll_options_votes" CHECK("poll_options"."votes" >= 0),
	CONSTRAINT "poll_options_title" CHECK(length("poll_options"."title") between 1 and 80)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `poll_options_order` ON `poll_options` (`poll_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `poll_options_of_poll` ON `poll_options` (`poll_id`,`id`);--> statement-breakpoint
CREATE TABLE `poll_votes` (
	`poll_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`option_id` text NOT NULL,
	`cast_at` integer NOT NULL,
	PRIMARY KEY(`poll_id`, `user_id`),
	FOREIGN KEY (`poll_id`) REFERENCES `polls`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`poll_id`,`option_id`) REFERENCES `poll_options`(`poll_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `polls` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`ends_at` integer NOT NULL,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`hidden_at` integer,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "polls_title" CHECK(length("polls"."title") between 1 and 140)
);
--> statement-breakpoint
CREATE INDEX `polls_open` ON `polls` (`ends_at`) WHERE hidden_at is null;--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price_cents` integer NOT NULL,
	`discount_cents` integer DEFAULT 0 NOT NULL,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_status" CHECK("orders"."status" in ('pending', 'paid', 'failed', 'expired', 'refunded')),
	CONSTRAINT "orders_amount" CHECK("orders"."amount_cents" = "orders"."quantity" * "orders"."unit_price_cents" - "orders"."discount_cents" and "orders"."amount_cents" >= 0),
	CONSTRAINT "orders_quantity" CHECK("orders"."quantity" > 0)
);
--> statement-breakpoint
CREATE INDEX `orders_revenue` ON `orders` (`status`,`paid_at`,`amount_cents`);--> statement-breakpoint
CREATE TABLE `product_images` (
	`product_id` text NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`alt` text NOT NULL,
	PRIMARY KEY(`product_id`, `position`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`price_cents` integer NOT NULL,
	`stock` integer NOT NULL,
	`checkout_url` text DEFAULT '' NOT NULL,
	`is_featured` integer DEFAULT false NOT NULL,
	`position` integer NOT NULL,
	CONSTRAINT "products_price" CHECK("products"."price_cents" >= 0),
	CONSTRAINT "products_stock" CHECK("products"."stock" >= 0)
);
--> statement-breakpoint
CREATE INDEX `products_order` ON `products` (`position`,`id`);--> statement-breakpoint
CREATE TABLE `site` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`tagline` text NOT NULL,
	`city` text NOT NULL,
	`hashtag` text NOT NULL,
	`description` text NOT NULL,
	`lyric` text NOT NULL,
	`referral_prefix` text NOT NULL,
	`time_zone` text NOT NULL,
	`links` text NOT NULL,
	`hero_url` text NOT NULL,
	`hero_portrait_url` text NOT NULL,
	`hero_alt` text NOT NULL,
	`share_image_url` text NOT NULL,
	`icon_url` text NOT NULL,
	`maskable_icon_url` text NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "site_single" CHECK("site"."id" = 1),
	CONSTRAINT "site_links" CHECK(json_valid("site"."links"))
);
--> statement-breakpoint
CREATE TABLE `social_posts` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`url` text NOT NULL,
	`image_url` text NOT NULL,
	`image_alt` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tiers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`price_cents` integer NOT NULL,
	`features` text NOT NULL,
	`popular` integer DEFAULT false NOT NULL,
	`position` integer NOT NULL,
	CONSTRAINT "tiers_id" CHECK("tiers"."id" in ('bronze', 'silver', 'gold')),
	CONSTRAINT "tiers_price" CHECK("tiers"."price_cents" >= 0),
	CONSTRAINT "tiers_features" CHECK(json_valid("tiers"."features"))
);
--> statement-breakpoint
CREATE TABLE `outbound_clicks` (
	`track_id` integer NOT NULL,
	`service` text NOT NULL,
	`day` text NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`track_id`, `service`, `day`),
	FOREIGN KEY (`track_id`) REFERENCES `tracks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `stream_reports` (
	`listener` text NOT NULL,
	`track_id` integer NOT NULL,
	`started_at` integer NOT NULL,
	`counted_at` integer NOT NULL,
	PRIMARY KEY(`listener`, `track_id`, `started_at`),
	FOREIGN KEY (`track_id`) REFERENCES `tracks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `stream_reports_age` ON `stream_reports` (`counted_at`);--> statement-breakpoint
CREATE TABLE `track_days` (
	`track_id` integer NOT NULL,
	`day` text NOT NULL,
	`plays` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`track_id`, `day`),
	FOREIGN KEY (`track_id`) REFERENCES `tracks`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "track_days_plays" CHECK("track_days"."plays" >= 0)
);
--> statement-breakpoint
CREATE TABLE `track_likes` (
	`track_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`liked_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `track_id`),
	FOREIGN KEY (`track_id`) REFERENCES `tracks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `tracks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`title` text NOT NULL,
	`artist` text NOT NULL,
	`album` text DEFAULT '' NOT NULL,
	`duration_seconds` integer NOT NULL,
	`plays` integer DEFAULT 0 NOT NULL,
	`likes` integer DEFAULT 0 NOT NULL,
	`cover_url` text NOT NULL,
	`cover_alt` text NOT NULL,
	`spotify_url` text DEFAULT '' NOT NULL,
	`is_trending` integer DEFAULT false NOT NULL,
	`is_exclusive` integer DEFAULT false NOT NULL,
	`audio_key` text,
	`position` integer NOT NULL,
	`released_at` integer NOT NULL,
	CONSTRAINT "tracks_counts" CHECK("tracks"."plays" >= 0 and "tracks"."likes" >= 0 and "tracks"."duration_seconds" > 0)
);
--> statement-breakpoint
CREATE INDEX `tracks_order` ON `tracks` (`position`,`id`);--> statement-breakpoint
CREATE INDEX `tracks_by_plays` ON `tracks` ("plays" desc);