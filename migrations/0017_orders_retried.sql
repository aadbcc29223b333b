DROP INDEX `orders_to_close`;--> statement-breakpoint
DROP INDEX `orders_to_refund`;--> statement-breakpoint
ALTER TABLE `orders` ADD `refund_refused_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `refund_attempt` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `retry_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_refund_refused` ON `orders` (`refund_refused_at`) WHERE refund_refused_at is not null;--> statement-breakpoint
CREATE INDEX `orders_to_close` ON `orders` (`retry_at`) WHERE intent_open = 1 and status = 'expired';--> statement-breakpoint
CREATE INDEX `orders_to_refund` ON `orders` (`retry_at`) WHERE refund_wanted_at is not null and refund_sent_at is null;--> statement-breakpoint
ALTER TABLE `test_intents` ADD `succeeded_at` integer;--> statement-breakpoint
-- A mission reversed by a refund (action `merch_refund`) is earned again by the next action that completes it, under
-- the key `mission:<id>#2`. One reversed by an administrator is not. Keys from `mission:<id>` to `mission:<id>$` are only
-- these. Otherwise as in migration 0005.
DROP TRIGGER ledger_fulfils_missions;
--> statement-breakpoint
CREATE TRIGGER ledger_fulfils_missions AFTER INSERT ON ledger
WHEN NEW.action <> 'mission' AND NEW.key NOT GLOB 'undo:*' BEGIN
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT NEW.user_id, 'mission',
    'mission:' || m.id || (SELECT iif(count(*) = 0, '', '#' || (count(*) + 1)) FROM ledger l
      WHERE l.user_id = NEW.user_id AND l.key >= 'mission:' || m.id AND l.key < 'mission:' || m.id || '$'),
    'Completed “' || m.title || '”', m.points, NEW.created_at
  FROM missions m
  WHERE m.is_active = 1 AND m.action = NEW.action
    AND NOT EXISTS (SELECT 1 FROM ledger l
      WHERE l.user_id = NEW.user_id AND l.key >= 'mission:' || m.id AND l.key < 'mission:' || m.id || '$'
        AND NOT EXISTS (SELECT 1 FROM ledger u
          WHERE u.user_id = l.user_id AND u.key = 'undo:' || l.key AND u.action = 'merch_refund'))
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
