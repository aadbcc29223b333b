ALTER TABLE `billing_customers` ADD `trial_held_until` integer;--> statement-breakpoint
ALTER TABLE `billing_customers` ADD `checkouts` integer DEFAULT 0 NOT NULL;