CREATE INDEX `ballot_flags_with_words` ON `ballot_flags` (`decided_at`) WHERE reason <> '';--> statement-breakpoint
-- The audit log is append-only except for the reason of an action, which may name an erased user, and for names of
-- finalists who withdraw or are erased before they are announced.
DROP TRIGGER audit_log_is_append_only_update;
--> statement-breakpoint
CREATE TRIGGER audit_log_is_append_only_update BEFORE UPDATE ON audit_log
WHEN NOT (
  NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.actor_id = OLD.actor_id AND NEW.action = OLD.action
  AND NEW.subject = OLD.subject
  AND NEW.detail IN (json_remove(OLD.detail, '$.reason'), json_remove(OLD.detail, '$.names'))
) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
