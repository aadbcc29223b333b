CREATE TABLE `mail_stops` (
	`hash` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`mail_id` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "mail_stops_reason" CHECK("mail_stops"."reason" in ('bounced', 'complained', 'suppressed'))
);
--> statement-breakpoint
CREATE INDEX `mail_stops_newest` ON `mail_stops` (`created_at`,`hash`);--> statement-breakpoint
CREATE INDEX `outbox_of_provider` ON `outbox` (`provider_id`) WHERE provider_id is not null;