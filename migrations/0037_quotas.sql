ALTER TABLE `orders` ADD `device_hash` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `network_hash` text;--> statement-breakpoint
CREATE INDEX `orders_by_device` ON `orders` (`device_hash`) WHERE device_hash is not null;--> statement-breakpoint
CREATE INDEX `orders_by_network` ON `orders` (`network_hash`) WHERE network_hash is not null;