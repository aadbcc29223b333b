ALTER TABLE `orders` ADD `holder` text;--> statement-breakpoint
CREATE INDEX `orders_by_holder` ON `orders` (`holder`) WHERE holder is not null;