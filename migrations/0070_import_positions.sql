ALTER TABLE `import_rows` ADD `entry` text;--> statement-breakpoint
CREATE UNIQUE INDEX `import_rows_entry` ON `import_rows` (`import_id`,`entry`) WHERE entry is not null;--> statement-breakpoint
ALTER TABLE `imports` ADD `position` text;