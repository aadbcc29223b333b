-- Deliveries end with their webhook: docs/decisions/0027-webhook-outbox.md
CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_tokens_scopes" CHECK(json_valid("api_tokens"."scopes"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hash_unique` ON `api_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `api_tokens_of_user` ON `api_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`data` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`due_at` integer DEFAULT 0 NOT NULL,
	`queued_at` integer,
	`attempts` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`delivered_at` integer,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_state" CHECK("webhook_deliveries"."state" in ('waiting', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_json" CHECK(json_valid("webhook_deliveries"."data") and json_valid("webhook_deliveries"."attempts"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`webhook_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_newest` ON `webhook_deliveries` (`webhook_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`due_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_age` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`previous_sealed_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_reason` text,
	CONSTRAINT "webhooks_events" CHECK(json_valid("webhooks"."events")),
	CONSTRAINT "webhooks_disabled" CHECK(("webhooks"."disabled_at" is null) = ("webhooks"."disabled_reason" is null))
);

--> statement-breakpoint
-- A member who comes back to the team makes new tokens.
CREATE TRIGGER team_members_end_tokens AFTER DELETE ON team_members BEGIN
  DELETE FROM api_tokens WHERE user_id = OLD.user_id;
END;
--> statement-breakpoint
-- Events of webhooks, in the statement that causes them. Won disputes make an order paid again, which is no new event.
CREATE TRIGGER orders_report_payment AFTER UPDATE OF status ON orders
WHEN NEW.status = 'paid' AND OLD.status NOT IN ('paid', 'refunded') BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, created_at)
  SELECT 'whd_' || lower(hex(randomblob(12))), w.id, 'evt_order_paid_' || NEW.id, 'order.paid',
    json_object('orderId', NEW.id, 'totalCents', NEW.amount_cents, 'currency', NEW.currency, 'units', NEW.units),
    coalesce(NEW.paid_at, NEW.created_at)
  FROM webhooks w WHERE w.disabled_at IS NULL AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = 'order.paid')
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER users_report_sign_up AFTER INSERT ON users WHEN NEW.role = 'supporter' BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, created_at)
  SELECT 'whd_' || lower(hex(randomblob(12))), w.id, 'evt_supporter_joined_' || NEW.id, 'supporter.joined',
    json_object('supporterId', NEW.id), NEW.created_at
  FROM webhooks w WHERE w.disabled_at IS NULL AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = 'supporter.joined')
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER check_ins_report AFTER INSERT ON check_ins BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, created_at)
  SELECT 'whd_' || lower(hex(randomblob(12))), w.id, 'evt_checked_in_' || NEW.concert_id || '_' || NEW.user_id, 'show.checked_in',
    json_object('showId', NEW.concert_id, 'supporterId', NEW.user_id), NEW.checked_in_at
  FROM webhooks w WHERE w.disabled_at IS NULL AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = 'show.checked_in')
  ON CONFLICT DO NOTHING;
END;
