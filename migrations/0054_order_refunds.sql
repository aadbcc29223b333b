CREATE TABLE `order_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`shipping_cents` integer NOT NULL,
	`lines` text NOT NULL,
	`requested_at` integer NOT NULL,
	`sent_at` integer,
	`refused_at` integer,
	`attempt` integer DEFAULT 1 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`retry_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_refunds_amount" CHECK("order_refunds"."amount_cents" > 0 and "order_refunds"."shipping_cents" between 0 and "order_refunds"."amount_cents"),
	CONSTRAINT "order_refunds_lines" CHECK(json_valid("order_refunds"."lines"))
);
--> statement-breakpoint
CREATE INDEX `order_refunds_of_order` ON `order_refunds` (`order_id`);--> statement-breakpoint
CREATE INDEX `order_refunds_to_send` ON `order_refunds` (`retry_at`) WHERE sent_at is null and refused_at is null;--> statement-breakpoint
CREATE TABLE `test_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`intent_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	FOREIGN KEY (`intent_id`) REFERENCES `test_intents`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "test_refunds_amount" CHECK("test_refunds"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE INDEX `test_refunds_of_intent` ON `test_refunds` (`intent_id`);