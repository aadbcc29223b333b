ALTER TABLE `stream_reports` ADD `day` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Earlier code, while a deployment is under way, inserts no day: its plays count on the UTC day, as before.
DROP TRIGGER stream_reports_play;
--> statement-breakpoint
CREATE TRIGGER stream_reports_play AFTER INSERT ON stream_reports BEGIN
  INSERT INTO track_days (track_id, day, plays)
  VALUES (NEW.track_id, iif(NEW.day = '', strftime('%Y-%m-%d', NEW.counted_at / 1000, 'unixepoch'), NEW.day), 1)
  ON CONFLICT (track_id, day) DO UPDATE SET plays = plays + 1;
END;
