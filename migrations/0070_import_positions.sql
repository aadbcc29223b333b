ALTER TABLE `import_rows` ADD `entry_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `import_rows_entry` ON `import_rows` (`import_id`,`entry_hash`) WHERE entry_hash is not null;--> statement-breakpoint
ALTER TABLE `imports` ADD `position` text;