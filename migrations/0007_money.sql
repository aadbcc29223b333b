CREATE TABLE `promotion_codes` (
	`code` text PRIMARY KEY NOT NULL,
	`discount_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "promotion_codes_discount" CHECK("promotion_codes"."discount_cents" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `promotion_codes_one` ON `promotion_codes` ((ended_at is null)) WHERE ended_at is null;--> statement-breakpoint
CREATE TABLE `payment_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`order_id` text,
	`payment_intent_id` text,
	`delivery` text NOT NULL,
	`received_at` integer NOT NULL,
	CONSTRAINT "payment_events_state" CHECK("payment_events"."state" in ('applied', 'parked', 'ignored'))
);
--> statement-breakpoint
CREATE INDEX `payment_events_parked` ON `payment_events` (`received_at`) WHERE state = 'parked';--> statement-breakpoint
CREATE TABLE `test_intents` (
	`id` text PRIMARY KEY NOT NULL,
	`idempotency_key` text NOT NULL,
	`order_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "test_intents_status" CHECK("test_intents"."status" in ('open', 'succeeded', 'canceled')),
	CONSTRAINT "test_intents_refund" CHECK("test_intents"."refunded_cents" between 0 and "test_intents"."amount_cents")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `test_intents_idempotency_key_unique` ON `test_intents` (`idempotency_key`);--> statement-breakpoint
CREATE TABLE `billing_customers` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`trial_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_customers_customer_id_unique` ON `billing_customers` (`customer_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`tier` text NOT NULL,
	`status` text NOT NULL,
	`trial_ends_at` integer,
	`period_ends_at` integer,
	`cancels` integer DEFAULT false NOT NULL,
	`as_of` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_tier" CHECK("subscriptions"."tier" in ('silver', 'gold')),
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'ended'))
);
--> statement-breakpoint
CREATE INDEX `subscriptions_by_user` ON `subscriptions` (`user_id`,`as_of`);--> statement-breakpoint
DROP INDEX `orders_revenue`;--> statement-breakpoint
ALTER TABLE `orders` ADD `user_id` integer REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `orders` ADD `checkout_key_hash` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `held` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `reserved_until` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `is_test` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `payment_intent_id` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `client_secret_hash` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `intent_open` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `intent_revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `promotion_code` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `email` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `shipping_address` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `refunded_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `refund_reason` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `refund_wanted_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `refund_sent_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `disputed_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `dispute_won_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `fulfilment` text DEFAULT 'unfulfilled' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `tracking` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_one_open` ON `orders` (`checkout_key_hash`,`product_id`) WHERE status in ('pending', 'failed') and checkout_key_hash is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_by_intent` ON `orders` (`payment_intent_id`) WHERE payment_intent_id is not null;--> statement-breakpoint
CREATE INDEX `orders_by_buyer` ON `orders` (`user_id`,`created_at`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `orders_newest` ON `orders` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_due` ON `orders` (`reserved_until`) WHERE status in ('pending', 'failed');--> statement-breakpoint
CREATE INDEX `orders_to_close` ON `orders` (`status`) WHERE intent_open = 1;--> statement-breakpoint
CREATE INDEX `orders_to_refund` ON `orders` (`refund_wanted_at`) WHERE refund_wanted_at is not null and refund_sent_at is null;--> statement-breakpoint
CREATE INDEX `orders_revenue` ON `orders` (`status`,`paid_at`,`amount_cents`,`refunded_cents`);--> statement-breakpoint
ALTER TABLE `products` ADD `ships` integer DEFAULT true NOT NULL;
--> statement-breakpoint
-- Stock moves in the statement that changes `held` of an order. The CHECK on the product rejects the statement when too
-- few units are left.
CREATE TRIGGER orders_take_stock AFTER INSERT ON orders WHEN NEW.held > 0 BEGIN
  UPDATE products SET stock = stock - NEW.held WHERE id = NEW.product_id;
END;
--> statement-breakpoint
CREATE TRIGGER orders_move_stock AFTER UPDATE OF held ON orders WHEN NEW.held <> OLD.held BEGIN
  UPDATE products SET stock = stock + OLD.held - NEW.held WHERE id = NEW.product_id;
END;
--> statement-breakpoint
CREATE TRIGGER orders_hold_all_or_none_new BEFORE INSERT ON orders
WHEN NEW.held NOT IN (0, NEW.quantity) OR (NEW.held > 0 AND NEW.status IN ('failed', 'expired')) BEGIN
  SELECT RAISE(ABORT, 'an order holds all of its quantity or none, and none once it has failed');
END;
--> statement-breakpoint
CREATE TRIGGER orders_hold_all_or_none BEFORE UPDATE ON orders
WHEN NEW.held NOT IN (0, NEW.quantity) OR (NEW.held > 0 AND NEW.status IN ('failed', 'expired')) BEGIN
  SELECT RAISE(ABORT, 'an order holds all of its quantity or none, and none once it has failed');
END;
