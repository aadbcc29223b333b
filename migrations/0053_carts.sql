CREATE TABLE `cart_lines` (
	`user_id` integer NOT NULL,
	`variant_id` text NOT NULL,
	`position` integer NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price_cents` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `variant_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`variant_id`) REFERENCES `product_variants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "cart_lines_quantity" CHECK("cart_lines"."quantity" between 1 and 99),
	CONSTRAINT "cart_lines_price" CHECK("cart_lines"."unit_price_cents" is null or "cart_lines"."unit_price_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `cart_lines_by_age` ON `cart_lines` (`updated_at`);--> statement-breakpoint
CREATE TABLE `saved_addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`address` text NOT NULL,
	`used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_addresses_of_user` ON `saved_addresses` (`user_id`,`address`);--> statement-breakpoint
CREATE TABLE `stock_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`variant_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	FOREIGN KEY (`variant_id`) REFERENCES `product_variants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stock_alerts_once` ON `stock_alerts` (`email_key`,`variant_id`);--> statement-breakpoint
CREATE INDEX `stock_alerts_due` ON `stock_alerts` (`variant_id`,`created_at`) WHERE confirmed_at is not null;--> statement-breakpoint
CREATE INDEX `stock_alerts_by_age` ON `stock_alerts` (`created_at`);