CREATE TABLE `download_code_batches` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`good` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "download_code_batches_size" CHECK("download_code_batches"."size" between 1 and 1000)
);
--> statement-breakpoint
CREATE TABLE `download_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`batch_id` text NOT NULL,
	`position` integer NOT NULL,
	`key_hash` text,
	`redeemed_at` integer,
	FOREIGN KEY (`batch_id`) REFERENCES `download_code_batches`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "download_codes_redeemed" CHECK(("download_codes"."key_hash" is null) = ("download_codes"."redeemed_at" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `download_codes_of_batch` ON `download_codes` (`batch_id`,`position`);