CREATE TABLE `poll_mailboxes` (
	`poll_id` text NOT NULL,
	`hash` text NOT NULL,
	`user_id` integer,
	PRIMARY KEY(`poll_id`, `hash`),
	FOREIGN KEY (`poll_id`) REFERENCES `polls`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `poll_mailboxes_of_user` ON `poll_mailboxes` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
DROP INDEX `verse_submissions_once`;--> statement-breakpoint
ALTER TABLE `verse_submissions` ADD `confirmed_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `verse_submissions_once` ON `verse_submissions` (`challenge_id`,`mailbox_key`) WHERE mailbox_key is not null and confirmed_at is not null;--> statement-breakpoint
DROP INDEX `users_by_points`;--> statement-breakpoint
CREATE INDEX `users_by_points` ON `users` ("points" desc,`id`) WHERE role = 'supporter' and leaderboard_opt_out = 0 and is_demo_login = 0 and banned_at is null and erased_at is null and (email is null or email_verified_at is not null);--> statement-breakpoint
ALTER TABLE `city_requests` ADD `confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `poll_votes` ADD `counted_at` integer;--> statement-breakpoint
ALTER TABLE `poll_votes` ADD `excluded_at` integer;--> statement-breakpoint
CREATE INDEX `poll_votes_excluded` ON `poll_votes` (`user_id`) WHERE excluded_at is not null;--> statement-breakpoint
CREATE INDEX `poll_votes_pending` ON `poll_votes` (`user_id`) WHERE counted_at is null;--> statement-breakpoint
ALTER TABLE `polls` ADD `creator_banned_at` integer;
--> statement-breakpoint
-- A stored vote is in its option's count while counted_at is set and excluded_at is not. Its other columns are fixed.
DROP TRIGGER poll_votes_are_final;
--> statement-breakpoint
DROP TRIGGER poll_votes_count;
--> statement-breakpoint
DROP TRIGGER poll_votes_uncount;
--> statement-breakpoint
UPDATE poll_votes SET counted_at = cast_at;
--> statement-breakpoint
CREATE TRIGGER poll_votes_count AFTER INSERT ON poll_votes BEGIN
  UPDATE poll_options SET votes = votes + 1 WHERE poll_id = NEW.poll_id AND id = NEW.option_id AND (NEW.counted_at IS NOT NULL AND NEW.excluded_at IS NULL);
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT NEW.user_id, 'poll_vote', 'poll_vote:' || NEW.poll_id, 'Voted in “' || title || '”', 10, NEW.cast_at
  FROM polls WHERE id = NEW.poll_id
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER poll_votes_are_final BEFORE UPDATE ON poll_votes
WHEN NEW.poll_id IS NOT OLD.poll_id OR NEW.user_id IS NOT OLD.user_id OR NEW.option_id IS NOT OLD.option_id
  OR NEW.cast_at IS NOT OLD.cast_at OR (OLD.counted_at IS NOT NULL AND NEW.counted_at IS NOT OLD.counted_at) BEGIN
  SELECT RAISE(ABORT, 'a vote is final');
END;
--> statement-breakpoint
CREATE TRIGGER poll_votes_recount AFTER UPDATE OF counted_at, excluded_at ON poll_votes
WHEN (NEW.counted_at IS NOT NULL AND NEW.excluded_at IS NULL) <> (OLD.counted_at IS NOT NULL AND OLD.excluded_at IS NULL) BEGIN
  UPDATE poll_options SET votes = votes + iif((NEW.counted_at IS NOT NULL AND NEW.excluded_at IS NULL), 1, -1)
  WHERE poll_id = NEW.poll_id AND id = NEW.option_id;
END;
--> statement-breakpoint
CREATE TRIGGER poll_votes_uncount AFTER DELETE ON poll_votes WHEN (OLD.counted_at IS NOT NULL AND OLD.excluded_at IS NULL) BEGIN
  UPDATE poll_options SET votes = votes - 1 WHERE poll_id = OLD.poll_id AND id = OLD.option_id;
END;
--> statement-breakpoint
-- Hides the polls of a banned supporter, and reloads every cached response that may show the account.
UPDATE polls SET creator_banned_at = (SELECT banned_at FROM users WHERE users.id = polls.created_by) WHERE official = 0;
--> statement-breakpoint
CREATE TRIGGER users_ban_hides_content AFTER UPDATE OF banned_at ON users WHEN OLD.banned_at IS NOT NEW.banned_at BEGIN
  UPDATE polls SET creator_banned_at = NEW.banned_at WHERE created_by = NEW.id AND official = 0;
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
-- Unconfirmed accounts leave the leaderboard. The condition is that of the index users_by_points.
DROP TRIGGER users_enter_standings;
--> statement-breakpoint
DROP TRIGGER users_move_in_standings;
--> statement-breakpoint
DELETE FROM standings;
--> statement-breakpoint
INSERT INTO standings (points, people) SELECT points, count(*) FROM users
WHERE (users.role = 'supporter' AND users.leaderboard_opt_out = 0 AND users.is_demo_login = 0 AND users.banned_at IS NULL AND users.erased_at IS NULL
    AND (users.email IS NULL OR users.email_verified_at IS NOT NULL)) GROUP BY points;
--> statement-breakpoint
CREATE TRIGGER users_enter_standings AFTER INSERT ON users
WHEN (NEW.role = 'supporter' AND NEW.leaderboard_opt_out = 0 AND NEW.is_demo_login = 0 AND NEW.banned_at IS NULL AND NEW.erased_at IS NULL
    AND (NEW.email IS NULL OR NEW.email_verified_at IS NOT NULL)) BEGIN
  INSERT INTO standings (points, people) VALUES (NEW.points, 1) ON CONFLICT (points) DO UPDATE SET people = people + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_move_in_standings
AFTER UPDATE OF points, role, leaderboard_opt_out, is_demo_login, banned_at, erased_at, email, email_verified_at ON users
WHEN OLD.points <> NEW.points
  OR (OLD.role = 'supporter' AND OLD.leaderboard_opt_out = 0 AND OLD.is_demo_login = 0 AND OLD.banned_at IS NULL AND OLD.erased_at IS NULL
    AND (OLD.email IS NULL OR OLD.email_verified_at IS NOT NULL))
  <> (NEW.role = 'supporter' AND NEW.leaderboard_opt_out = 0 AND NEW.is_demo_login = 0 AND NEW.banned_at IS NULL AND NEW.erased_at IS NULL
    AND (NEW.email IS NULL OR NEW.email_verified_at IS NOT NULL)) BEGIN
  UPDATE standings SET people = people - 1 WHERE points = OLD.points
    AND (OLD.role = 'supporter' AND OLD.leaderboard_opt_out = 0 AND OLD.is_demo_login = 0 AND OLD.banned_at IS NULL AND OLD.erased_at IS NULL
    AND (OLD.email IS NULL OR OLD.email_verified_at IS NOT NULL));
  INSERT INTO standings (points, people) SELECT NEW.points, 1
  WHERE (NEW.role = 'supporter' AND NEW.leaderboard_opt_out = 0 AND NEW.is_demo_login = 0 AND NEW.banned_at IS NULL AND NEW.erased_at IS NULL
    AND (NEW.email IS NULL OR NEW.email_verified_at IS NOT NULL))
  ON CONFLICT (points) DO UPDATE SET people = people + 1;
END;
--> statement-breakpoint
-- A city request enters the demand once its account is confirmed. Rows from before count as they did.
DROP TRIGGER city_requests_add;
--> statement-breakpoint
DROP TRIGGER city_requests_remove;
--> statement-breakpoint
UPDATE city_requests SET confirmed_at = created_at;
--> statement-breakpoint
CREATE TRIGGER city_requests_add AFTER INSERT ON city_requests WHEN NEW.confirmed_at IS NOT NULL BEGIN
  INSERT INTO city_demand (city_key, city, people) VALUES (NEW.city_key, NEW.city, 1)
  ON CONFLICT (city_key) DO UPDATE SET people = people + 1;
END;
--> statement-breakpoint
CREATE TRIGGER city_requests_confirm AFTER UPDATE OF confirmed_at ON city_requests
WHEN OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL BEGIN
  INSERT INTO city_demand (city_key, city, people) VALUES (NEW.city_key, NEW.city, 1)
  ON CONFLICT (city_key) DO UPDATE SET people = people + 1;
END;
--> statement-breakpoint
CREATE TRIGGER city_requests_remove AFTER DELETE ON city_requests WHEN OLD.confirmed_at IS NOT NULL BEGIN
  UPDATE city_demand SET people = people - 1 WHERE city_key = OLD.city_key;
  DELETE FROM city_demand WHERE city_key = OLD.city_key AND people = 0;
END;
--> statement-breakpoint
UPDATE verse_submissions SET confirmed_at = submitted_at;
