CREATE TABLE `public_images` (
	`upload_id` text PRIMARY KEY NOT NULL,
	`copied_at` integer,
	FOREIGN KEY (`upload_id`) REFERENCES `uploads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TRIGGER public_images_public_insert AFTER INSERT ON public_images BEGIN
  UPDATE data_version SET version = version + 1;
END;--> statement-breakpoint
CREATE TRIGGER public_images_public_update AFTER UPDATE ON public_images BEGIN
  UPDATE data_version SET version = version + 1;
END;--> statement-breakpoint
CREATE TRIGGER public_images_public_delete AFTER DELETE ON public_images BEGIN
  UPDATE data_version SET version = version + 1;
END;
