DROP INDEX `challenge_ballots_tally`;--> statement-breakpoint
CREATE INDEX `challenge_ballots_tally` ON `challenge_ballots` (`finalist_id`,`challenge_id`);--> statement-breakpoint
ALTER TABLE `challenges` ADD `opens_by_hand` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- From here on, the audit log records named finalists by verse. Their names are removed before the trigger below
-- forbids it.
UPDATE audit_log SET detail = json_remove(detail, '$.names')
WHERE action = 'challenge.finalists_named' AND json_extract(detail, '$.names') IS NOT NULL;
--> statement-breakpoint
-- The audit log is append-only except for the reason of an action on a subject that may identify an erased user. IS
-- instead of =, because OR REPLACE turns NULL into the default and a comparison with NULL would not fire the trigger.
DROP TRIGGER audit_log_is_append_only_update;
--> statement-breakpoint
CREATE TRIGGER audit_log_is_append_only_update BEFORE UPDATE ON audit_log
WHEN NOT (
  NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.actor_id IS OLD.actor_id AND NEW.action IS OLD.action
  AND NEW.subject IS OLD.subject AND NEW.detail IS NOT NULL AND (NEW.detail IS OLD.detail
    OR (NEW.detail IS json_remove(OLD.detail, '$.reason') AND (OLD.action = 'ballots.kept'
      OR substr(OLD.subject, 1, instr(OLD.subject, ':') - 1) IN ('user', 'post', 'ledger', 'order', 'ballot'))))
) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
--> statement-breakpoint
-- OR REPLACE deletes a conflicting row without firing DELETE triggers.
CREATE TRIGGER audit_log_is_append_only_insert BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER challenges_sealed_insert BEFORE INSERT ON challenges
WHEN EXISTS (SELECT 1 FROM challenges WHERE id = NEW.id AND sealed_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
-- OR REPLACE in an UPDATE of another row to the same id does so too.
CREATE TRIGGER challenges_sealed_move BEFORE UPDATE OF id ON challenges
WHEN NEW.id IS NOT OLD.id AND EXISTS (SELECT 1 FROM challenges WHERE id = NEW.id AND sealed_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
-- The texts and dates of a sealed challenge are fixed as well, except that the result may be published earlier. closed_on
-- and removed_at stay editable.
DROP TRIGGER challenges_stay_sealed;
--> statement-breakpoint
CREATE TRIGGER challenges_stay_sealed BEFORE UPDATE ON challenges
WHEN OLD.sealed_at IS NOT NULL AND (NEW.id IS NOT OLD.id OR NEW.sealed_at IS NOT OLD.sealed_at
  OR NEW.title IS NOT OLD.title OR NEW.prize IS NOT OLD.prize OR NEW.rules IS NOT OLD.rules
  OR NEW.submissions_from IS NOT OLD.submissions_from OR NEW.submissions_until IS NOT OLD.submissions_until
  OR NEW.finalists_on IS NOT OLD.finalists_on OR NEW.voting_from IS NOT OLD.voting_from
  OR NEW.voting_until IS NOT OLD.voting_until OR coalesce(NEW.winner_on > OLD.winner_on, 1)
  OR NEW.submissions_open_at IS NOT OLD.submissions_open_at OR NEW.submissions_close_at IS NOT OLD.submissions_close_at
  OR NEW.finalists_at IS NOT OLD.finalists_at OR NEW.voting_opens_at IS NOT OLD.voting_opens_at
  OR NEW.voting_closes_at IS NOT OLD.voting_closes_at OR coalesce(NEW.publish_at > OLD.publish_at, 1)
  OR NEW.opens_by_hand IS NOT OLD.opens_by_hand OR NEW.keyed_by IS NOT OLD.keyed_by
  OR (OLD.ballots_sha256 IS NOT NULL
    AND (NEW.ballots_sha256 IS NOT OLD.ballots_sha256 OR NEW.ballots_count IS NOT OLD.ballots_count
      OR NEW.excluded_count IS NOT OLD.excluded_count))) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
-- A ballot or finalist of an open challenge must not replace one of a sealed challenge.
CREATE TRIGGER challenge_ballots_sealed_replace BEFORE INSERT ON challenge_ballots
WHEN EXISTS (SELECT 1 FROM challenge_ballots b JOIN challenges c ON c.id = b.challenge_id
  WHERE b.id = NEW.id AND c.sealed_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_ballots_sealed_move BEFORE UPDATE OF id ON challenge_ballots
WHEN NEW.id IS NOT OLD.id AND EXISTS (SELECT 1 FROM challenge_ballots b JOIN challenges c ON c.id = b.challenge_id
  WHERE b.id = NEW.id AND c.sealed_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_finalists_sealed_replace BEFORE INSERT ON challenge_finalists
WHEN EXISTS (SELECT 1 FROM challenge_finalists f JOIN challenges c ON c.id = f.challenge_id
  WHERE c.sealed_at IS NOT NULL AND (f.id = NEW.id OR f.submission_id = NEW.submission_id)) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
--> statement-breakpoint
CREATE TRIGGER challenge_finalists_sealed_move BEFORE UPDATE OF id, submission_id ON challenge_finalists
WHEN EXISTS (SELECT 1 FROM challenge_finalists f JOIN challenges c ON c.id = f.challenge_id
  WHERE c.sealed_at IS NOT NULL AND f.id <> OLD.id AND (f.id = NEW.id OR f.submission_id = NEW.submission_id)) BEGIN
  SELECT RAISE(ABORT, 'these votes are fixed');
END;
