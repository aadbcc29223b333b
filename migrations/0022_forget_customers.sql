ALTER TABLE `billing_customers` ADD `forget_wanted_at` integer;--> statement-breakpoint
CREATE INDEX `billing_customers_to_forget` ON `billing_customers` (`forget_wanted_at`) WHERE forget_wanted_at is not null;--> statement-breakpoint
-- Whoever was erased before is forgotten at the provider, too.
UPDATE billing_customers SET forget_wanted_at = (SELECT erased_at FROM users WHERE id = user_id);
