CREATE TABLE `legal_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "legal_texts_id" CHECK("legal_texts"."id" in ('terms', 'returns', 'imprint'))
);
--> statement-breakpoint
ALTER TABLE `site` ADD `accent` text;--> statement-breakpoint
ALTER TABLE `site` ADD `sections` text;--> statement-breakpoint
ALTER TABLE `site` ADD `labels` text;
--> statement-breakpoint
CREATE TRIGGER legal_texts_public_insert AFTER INSERT ON legal_texts BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER legal_texts_public_update AFTER UPDATE ON legal_texts BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER legal_texts_public_delete AFTER DELETE ON legal_texts BEGIN
  UPDATE data_version SET version = version + 1;
END;
