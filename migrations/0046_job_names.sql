-- Jobs were renamed; their runs go on under the new names.
UPDATE `job_runs` SET `job` = 'Delete senders of old verses' WHERE `job` = 'Forget who sent old verses'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete senders of old verses' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete reasons for vote decisions' WHERE `job` = 'Forget why votes were kept or left out'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete reasons for vote decisions' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete buyers of delivered orders' WHERE `job` = 'Forget the buyers of what has reached them'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete buyers of delivered orders' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete expired exports' WHERE `job` = 'Remove exports that are over'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete expired exports' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete unreferenced files' WHERE `job` = 'Remove files that nothing refers to'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete unreferenced files' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete receipts of deleted accounts' WHERE `job` = 'Forget receipts of deleted accounts'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete receipts of deleted accounts' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Warn inactive accounts' WHERE `job` = 'Warn accounts that fell silent'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Warn inactive accounts' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Erase inactive accounts' WHERE `job` = 'Erase accounts that stayed silent'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Erase inactive accounts' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Erase unconfirmed accounts' WHERE `job` = 'Erase accounts with an unconfirmed address'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Erase unconfirmed accounts' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete listener records' WHERE `job` = 'Forget who listened'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete listener records' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete listening history' WHERE `job` = 'Forget which tracks were heard'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete listening history' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Send inquiry reminders' WHERE `job` = 'Remind of inquiries'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Send inquiry reminders' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Clear the content of old emails' WHERE `job` = 'Empty mails of their words'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Clear the content of old emails' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete old email records' WHERE `job` = 'Forget to whom old mails went'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete old email records' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete old bounces' WHERE `job` = 'Forget which addresses sent mail back'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete old bounces' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete poll titles of deleted accounts' WHERE `job` = 'Forget the titles of polls of deleted accounts'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete poll titles of deleted accounts' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete mailbox hashes of closed polls' WHERE `job` = 'Forget the mailboxes of closed polls'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete mailbox hashes of closed polls' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete unsubscribed addresses' WHERE `job` = 'Forget who left the newsletter'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete unsubscribed addresses' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete expired tokens, guesses and revocations' WHERE `job` = 'Forget tokens, guesses and revocations that are over'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete expired tokens, guesses and revocations' AND r.`started_at` = `job_runs`.`started_at`);
--> statement-breakpoint
UPDATE `job_runs` SET `job` = 'Delete unconfirmed addresses' WHERE `job` = 'Forget addresses that nobody confirmed'
  AND NOT EXISTS (SELECT 1 FROM `job_runs` r WHERE r.`job` = 'Delete unconfirmed addresses' AND r.`started_at` = `job_runs`.`started_at`);
