ALTER TABLE `billing_customers` ADD `forget_wanted_at` integer;--> statement-breakpoint
CREATE INDEX `billing_customers_to_forget` ON `billing_customers` (`forget_wanted_at`) WHERE forget_wanted_at is not null;--> statement-breakpoint
-- Customers of users erased before this migration are deleted at the payment provider too.
UPDATE billing_customers SET forget_wanted_at = (SELECT erased_at FROM users WHERE id = user_id);
