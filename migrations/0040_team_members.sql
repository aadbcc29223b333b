CREATE TABLE `team_members` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`since` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "team_members_role" CHECK("team_members"."role" in ('owner', 'manager', 'editor', 'door'))
);
--> statement-breakpoint
INSERT INTO team_members (user_id, role, since)
  SELECT id, iif(id = (SELECT min(id) FROM users WHERE role = 'administrator' AND erased_at IS NULL AND banned_at IS NULL), 'owner', 'manager'), created_at
  FROM users WHERE role = 'administrator';--> statement-breakpoint
CREATE TRIGGER users_join_team_new AFTER INSERT ON users WHEN NEW.role = 'administrator' BEGIN
  INSERT INTO team_members (user_id, role, since)
    SELECT NEW.id, iif(EXISTS (SELECT 1 FROM team_members WHERE role = 'owner'), 'manager', 'owner'), NEW.last_active_at WHERE true
    ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER users_join_team AFTER UPDATE OF role ON users WHEN NEW.role = 'administrator' AND OLD.role <> 'administrator' BEGIN
  INSERT INTO team_members (user_id, role, since)
    SELECT NEW.id, iif(EXISTS (SELECT 1 FROM team_members WHERE role = 'owner'), 'manager', 'owner'), NEW.last_active_at WHERE true
    ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER users_leave_team AFTER UPDATE OF role ON users WHEN OLD.role = 'administrator' AND NEW.role <> 'administrator' BEGIN
  DELETE FROM team_members WHERE user_id = NEW.id;
END;
