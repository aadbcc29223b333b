CREATE TABLE `contacts` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`country` text DEFAULT '' NOT NULL,
	`tier` text DEFAULT '' NOT NULL,
	`member_status` text DEFAULT '' NOT NULL,
	`lifetime_cents` integer,
	`currency` text DEFAULT '' NOT NULL,
	`purchases` integer,
	`since` integer,
	`import_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "contacts_source" CHECK("contacts"."source" in ('bandcamp', 'mailchimp', 'patreon', 'shopify'))
);
--> statement-breakpoint
CREATE INDEX `contacts_by_address` ON `contacts` (`email_key`);--> statement-breakpoint
CREATE INDEX `contacts_newest` ON `contacts` (`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_once` ON `contacts` (`source`,`email_key`);--> statement-breakpoint
CREATE TABLE `import_rows` (
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`outcome` text NOT NULL,
	`reason` text,
	`value` text,
	`suppression_hash` text,
	`subscriber_id` text,
	`undone` text,
	PRIMARY KEY(`import_id`, `row`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "import_rows_outcome" CHECK("import_rows"."outcome" in ('subscribed', 'contact', 'suppressed', 'unsubscribed', 'sale', 'skipped')),
	CONSTRAINT "import_rows_reason" CHECK("import_rows"."outcome" <> 'skipped' or "import_rows"."reason" is not null)
);
--> statement-breakpoint
CREATE INDEX `import_rows_reported` ON `import_rows` (`import_id`,`row`) WHERE reason is not null or undone is not null;--> statement-breakpoint
CREATE TABLE `imported_sales` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`external_id` text NOT NULL,
	`email` text,
	`email_key` text,
	`buyer` text,
	`country` text DEFAULT '' NOT NULL,
	`item` text NOT NULL,
	`quantity` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`sold_at` integer NOT NULL,
	`import_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "imported_sales_source" CHECK("imported_sales"."source" in ('bandcamp', 'shopify')),
	CONSTRAINT "imported_sales_amounts" CHECK("imported_sales"."quantity" > 0 and "imported_sales"."amount_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `imported_sales_by_address` ON `imported_sales` (`email_key`) WHERE email_key is not null;--> statement-breakpoint
CREATE INDEX `imported_sales_with_buyer` ON `imported_sales` (`sold_at`) WHERE email_key is not null or buyer is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `imported_sales_once` ON `imported_sales` (`source`,`external_id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`file_name` text NOT NULL,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	`sha256` text DEFAULT '' NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`headers` text NOT NULL,
	`kind` text,
	`mapping` text NOT NULL,
	`consent_version` text,
	`run` text DEFAULT '' NOT NULL,
	`cursor` integer DEFAULT 0 NOT NULL,
	`counts` text,
	`requested_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`file_expires_at` integer,
	FOREIGN KEY (`requested_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "imports_state" CHECK("imports"."state" in ('uploading', 'uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone', 'failed', 'expired')),
	CONSTRAINT "imports_started" CHECK("imports"."state" not in ('importing', 'imported', 'undoing', 'undone') or "imports"."started_at" is not null)
);
--> statement-breakpoint
CREATE INDEX `imports_newest` ON `imports` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `imports_same_file` ON `imports` (`sha256`);--> statement-breakpoint
CREATE INDEX `imports_file_age` ON `imports` (`file_expires_at`) WHERE file_expires_at is not null;--> statement-breakpoint
CREATE INDEX `imports_in_progress` ON `imports` (`updated_at`) WHERE state in ('checking', 'importing', 'undoing');--> statement-breakpoint
-- A new reason: docs/decisions/0026-imported-consent.md
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_mail_stops` (
	`hash` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`mail_id` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "mail_stops_reason" CHECK("__new_mail_stops"."reason" in ('bounced', 'complained', 'suppressed', 'unsubscribed'))
);
--> statement-breakpoint
INSERT INTO `__new_mail_stops`("hash", "reason", "mail_id", "created_at") SELECT "hash", "reason", "mail_id", "created_at" FROM `mail_stops`;--> statement-breakpoint
DROP TABLE `mail_stops`;--> statement-breakpoint
ALTER TABLE `__new_mail_stops` RENAME TO `mail_stops`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `mail_stops_newest` ON `mail_stops` (`created_at`,`hash`);