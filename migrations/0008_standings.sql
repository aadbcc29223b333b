CREATE TABLE `standings` (
	`points` integer PRIMARY KEY NOT NULL,
	`people` integer NOT NULL,
	CONSTRAINT "standings_people" CHECK("standings"."people" >= 0)
);

--> statement-breakpoint
INSERT INTO standings (points, people)
SELECT points, count(*) FROM users WHERE (role = 'supporter' AND leaderboard_opt_out = 0 AND is_demo_login = 0 AND banned_at IS NULL AND erased_at IS NULL) GROUP BY points;
--> statement-breakpoint
-- The condition is the same as that of the index users_by_points: users listed on the leaderboard.
CREATE TRIGGER users_enter_standings AFTER INSERT ON users
WHEN (NEW.role = 'supporter' AND NEW.leaderboard_opt_out = 0 AND NEW.is_demo_login = 0 AND NEW.banned_at IS NULL AND NEW.erased_at IS NULL) BEGIN
  INSERT INTO standings (points, people) VALUES (NEW.points, 1) ON CONFLICT (points) DO UPDATE SET people = people + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_move_in_standings
AFTER UPDATE OF points, role, leaderboard_opt_out, is_demo_login, banned_at, erased_at ON users
WHEN OLD.points <> NEW.points
  OR (OLD.role = 'supporter' AND OLD.leaderboard_opt_out = 0 AND OLD.is_demo_login = 0 AND OLD.banned_at IS NULL AND OLD.erased_at IS NULL)
  <> (NEW.role = 'supporter' AND NEW.leaderboard_opt_out = 0 AND NEW.is_demo_login = 0 AND NEW.banned_at IS NULL AND NEW.erased_at IS NULL) BEGIN
  UPDATE standings SET people = people - 1 WHERE points = OLD.points
    AND (OLD.role = 'supporter' AND OLD.leaderboard_opt_out = 0 AND OLD.is_demo_login = 0 AND OLD.banned_at IS NULL AND OLD.erased_at IS NULL);
  INSERT INTO standings (points, people) SELECT NEW.points, 1
  WHERE (NEW.role = 'supporter' AND NEW.leaderboard_opt_out = 0 AND NEW.is_demo_login = 0 AND NEW.banned_at IS NULL AND NEW.erased_at IS NULL)
  ON CONFLICT (points) DO UPDATE SET people = people + 1;
END;
