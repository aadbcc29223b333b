-- A mission is paid in the statement that writes the action completing it into the ledger, so no caller can forget it or
-- pay it twice. The entry of a mission has the key `mission:<id>`.

-- Ledger entries that are not reversed. `day` is the day since 1970 in the artist's calendar for actions that are paid
-- once a day (their key ends with the day: `track_stream:1:20260701`), and null for others.
CREATE VIEW standing_acts AS
SELECT act.id, act.user_id, act.action, act.key, act.points, act.created_at AS at,
  CASE WHEN act.key GLOB '*:[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'
    THEN unixepoch(substr(act.key, -8, 4) || '-' || substr(act.key, -4, 2) || '-' || substr(act.key, -2)) / 86400 END AS day
FROM ledger act
WHERE act.key NOT GLOB 'undo:*'
  AND NOT EXISTS (SELECT 1 FROM ledger undone WHERE undone.user_id = act.user_id AND undone.key = 'undo:' || act.key);
--> statement-breakpoint
-- A streak ends on the day of the action and needs every day before it. Within a number of days, actions up to a minute
-- later count too, because clocks of two machines differ.
CREATE TRIGGER ledger_fulfils_missions AFTER INSERT ON ledger
WHEN NEW.action <> 'mission' AND NEW.key NOT GLOB 'undo:*' BEGIN
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT NEW.user_id, 'mission', 'mission:' || m.id, 'Completed “' || m.title || '”', m.points, NEW.created_at
  FROM missions m
  WHERE m.is_active = 1 AND m.action = NEW.action
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE user_id = NEW.user_id AND key = 'mission:' || m.id)
    AND m.target <= CASE WHEN m.is_streak
      THEN (SELECT count(DISTINCT s.day) FROM standing_acts today
        JOIN standing_acts s ON s.user_id = today.user_id AND s.action = today.action
          AND s.at > NEW.created_at - (m.target + 1) * 86400000
          AND s.day > today.day - m.target AND s.day <= today.day
        WHERE today.user_id = NEW.user_id AND today.key = NEW.key)
      ELSE (SELECT count(*) FROM standing_acts s
        WHERE s.user_id = NEW.user_id AND s.action = NEW.action
          AND s.at > coalesce(NEW.created_at - m.within_days * 86400000, -1)
          AND (m.within_days IS NULL OR s.at < NEW.created_at + 60000)) END
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
-- A profile is complete once the email address is verified and a phone number is stored. It earns 0 points; its mission
-- pays.
CREATE TRIGGER users_complete_profile AFTER UPDATE OF email_verified_at, phone_hash ON users
WHEN NEW.email_verified_at IS NOT NULL AND NEW.phone_hash IS NOT NULL AND NEW.erased_at IS NULL BEGIN
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  VALUES (NEW.id, 'profile_complete', 'profile_complete', 'Completed the profile', 0, max(NEW.email_verified_at, NEW.last_active_at))
  ON CONFLICT DO NOTHING;
END;
