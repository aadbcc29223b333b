ALTER TABLE `orders` ADD `carrier` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_by_amount` ON `orders` (`amount_cents`,`id`);--> statement-breakpoint
CREATE INDEX `orders_to_ship` ON `orders` (`created_at`,`id`) WHERE status = 'paid' and fulfilment in ('unfulfilled', 'packed');