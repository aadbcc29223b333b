DROP INDEX `orders_abandoned`;--> statement-breakpoint
ALTER TABLE `orders` ADD `missing` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tax_input_hash` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `failed_refund_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `refund_failed_at` integer;--> statement-breakpoint
CREATE INDEX `orders_abandoned` ON `orders` (`created_at`) WHERE status in ('failed', 'expired') and (email is not null or shipping_address is not null or tax_location is not null);--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `session_epoch` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE api_tokens SET session_epoch = (SELECT session_epoch FROM users WHERE users.id = api_tokens.user_id);
--> statement-breakpoint
-- A supporter joins once the email is confirmed: at the sign-up through Google, else later.
DROP TRIGGER users_report_sign_up;
--> statement-breakpoint
CREATE TRIGGER users_report_sign_up AFTER INSERT ON users WHEN NEW.role = 'supporter' AND NEW.email_verified_at IS NOT NULL BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, created_at)
  SELECT 'whd_' || lower(hex(randomblob(12))), w.id, 'evt_supporter_joined_' || NEW.id, 'supporter.joined',
    json_object('supporterId', NEW.id), NEW.email_verified_at
  FROM webhooks w WHERE w.disabled_at IS NULL AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = 'supporter.joined')
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER users_report_confirmation AFTER UPDATE OF email_verified_at ON users
WHEN NEW.role = 'supporter' AND OLD.email_verified_at IS NULL AND NEW.email_verified_at IS NOT NULL BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, created_at)
  SELECT 'whd_' || lower(hex(randomblob(12))), w.id, 'evt_supporter_joined_' || NEW.id, 'supporter.joined',
    json_object('supporterId', NEW.id), NEW.email_verified_at
  FROM webhooks w WHERE w.disabled_at IS NULL AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = 'supporter.joined')
  ON CONFLICT DO NOTHING;
END;
