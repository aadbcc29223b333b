CREATE TABLE `check_ins` (
	`concert_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`checked_in_at` integer NOT NULL,
	`arrival_id` text,
	PRIMARY KEY(`concert_id`, `user_id`),
	FOREIGN KEY (`concert_id`) REFERENCES `concerts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `check_ins_arrival_id_unique` ON `check_ins` (`arrival_id`);--> statement-breakpoint
CREATE INDEX `check_ins_of_user` ON `check_ins` (`user_id`);--> statement-breakpoint
CREATE TABLE `show_doors` (
	`concert_id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	FOREIGN KEY (`concert_id`) REFERENCES `concerts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `show_goers` (
	`concert_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`is_named` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`concert_id`, `user_id`),
	FOREIGN KEY (`concert_id`) REFERENCES `concerts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `show_goers_of_user` ON `show_goers` (`user_id`);--> statement-breakpoint
CREATE INDEX `show_goers_named` ON `show_goers` (`concert_id`,`created_at`) WHERE is_named = 1;--> statement-breakpoint
-- A check-in is paid in the same statement, once per show, under retries and races too.
CREATE TRIGGER check_ins_pay AFTER INSERT ON check_ins BEGIN
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT NEW.user_id, 'check_in', 'check_in:' || NEW.concert_id, 'Was at “' || venue || '”', 250, NEW.checked_in_at
  FROM concerts WHERE id = NEW.concert_id
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER check_ins_are_final BEFORE UPDATE ON check_ins BEGIN
  SELECT RAISE(ABORT, 'a check-in is final');
END;
