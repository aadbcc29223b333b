-- Denormalized totals. Each trigger moves one total in the statement that writes its rows, so readers see both or
-- neither. Never write these tables with OR IGNORE or OR REPLACE: an outer conflict policy overrides the statements of
-- triggers and loses or doubles the total. worker/architecture.test.ts bans both.

CREATE TRIGGER ledger_pays AFTER INSERT ON ledger BEGIN
  UPDATE users SET points = points + NEW.points WHERE id = NEW.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER ledger_is_append_only_update BEFORE UPDATE ON ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_is_append_only_delete BEFORE DELETE ON ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER poll_votes_count AFTER INSERT ON poll_votes BEGIN
  UPDATE poll_options SET votes = votes + 1 WHERE poll_id = NEW.poll_id AND id = NEW.option_id;
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT NEW.user_id, 'poll_vote', 'poll_vote:' || NEW.poll_id, 'Voted in “' || title || '”', 10, NEW.cast_at
  FROM polls WHERE id = NEW.poll_id
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER poll_votes_are_final BEFORE UPDATE ON poll_votes BEGIN
  SELECT RAISE(ABORT, 'a vote is final');
END;
--> statement-breakpoint
CREATE TRIGGER poll_votes_uncount AFTER DELETE ON poll_votes BEGIN
  UPDATE poll_options SET votes = votes - 1 WHERE poll_id = OLD.poll_id AND id = OLD.option_id;
END;
--> statement-breakpoint
CREATE TRIGGER track_days_add AFTER INSERT ON track_days BEGIN
  UPDATE tracks SET plays = plays + NEW.plays WHERE id = NEW.track_id;
END;
--> statement-breakpoint
CREATE TRIGGER track_days_change AFTER UPDATE OF plays ON track_days BEGIN
  UPDATE tracks SET plays = plays + NEW.plays - OLD.plays WHERE id = NEW.track_id;
END;
--> statement-breakpoint
CREATE TRIGGER track_days_remove AFTER DELETE ON track_days BEGIN
  UPDATE tracks SET plays = plays - OLD.plays WHERE id = OLD.track_id;
END;
--> statement-breakpoint
CREATE TRIGGER stream_reports_play AFTER INSERT ON stream_reports BEGIN
  INSERT INTO track_days (track_id, day, plays)
  VALUES (NEW.track_id, strftime('%Y-%m-%d', NEW.counted_at / 1000, 'unixepoch'), 1)
  ON CONFLICT (track_id, day) DO UPDATE SET plays = plays + 1;
END;
--> statement-breakpoint
CREATE TRIGGER track_likes_add AFTER INSERT ON track_likes BEGIN
  UPDATE tracks SET likes = likes + 1 WHERE id = NEW.track_id;
END;
--> statement-breakpoint
CREATE TRIGGER track_likes_remove AFTER DELETE ON track_likes BEGIN
  UPDATE tracks SET likes = likes - 1 WHERE id = OLD.track_id;
END;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_stay BEFORE INSERT ON challenge_ballots
WHEN NOT EXISTS (SELECT 1 FROM challenge_finalists WHERE id = NEW.finalist_id AND challenge_id = NEW.challenge_id) BEGIN
  SELECT RAISE(ABORT, 'that finalist is of another challenge');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_stay_moved BEFORE UPDATE ON challenge_ballots
WHEN NOT EXISTS (SELECT 1 FROM challenge_finalists WHERE id = NEW.finalist_id AND challenge_id = NEW.challenge_id) BEGIN
  SELECT RAISE(ABORT, 'that finalist is of another challenge');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_count AFTER INSERT ON challenge_ballots BEGIN
  UPDATE challenge_finalists SET votes = votes + 1 WHERE id = NEW.finalist_id AND challenge_id = NEW.challenge_id;
END;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_move AFTER UPDATE OF finalist_id ON challenge_ballots BEGIN
  UPDATE challenge_finalists SET votes = votes - 1 WHERE id = OLD.finalist_id;
  UPDATE challenge_finalists SET votes = votes + 1 WHERE id = NEW.finalist_id;
END;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_uncount AFTER DELETE ON challenge_ballots BEGIN
  UPDATE challenge_finalists SET votes = votes - 1 WHERE id = OLD.finalist_id;
END;
