CREATE INDEX `polls_by_end` ON `polls` (`ends_at`);--> statement-breakpoint
CREATE INDEX `polls_by_title` ON `polls` (title COLLATE NOCASE);
--> statement-breakpoint
-- Trigram index: finds polls by any three letters of the title. With secure-delete, erased titles leave the index too.
CREATE VIRTUAL TABLE poll_search USING fts5 (title, content = 'polls', tokenize = 'trigram');
--> statement-breakpoint
INSERT INTO poll_search (poll_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO poll_search (poll_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER polls_search_add AFTER INSERT ON polls BEGIN
  INSERT INTO poll_search (rowid, title) VALUES (NEW.rowid, NEW.title);
END;
--> statement-breakpoint
CREATE TRIGGER polls_search_change AFTER UPDATE OF title ON polls BEGIN
  INSERT INTO poll_search (poll_search, rowid, title) VALUES ('delete', OLD.rowid, OLD.title);
  INSERT INTO poll_search (rowid, title) VALUES (NEW.rowid, NEW.title);
END;
--> statement-breakpoint
CREATE TRIGGER polls_search_remove AFTER DELETE ON polls BEGIN
  INSERT INTO poll_search (poll_search, rowid, title) VALUES ('delete', OLD.rowid, OLD.title);
END;
