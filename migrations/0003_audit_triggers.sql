-- The audit log is append-only, also for administrators.

CREATE TRIGGER audit_log_is_append_only_update BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_is_append_only_delete BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
