CREATE INDEX `releases_by_cover` ON `releases` (`cover_url`);--> statement-breakpoint
CREATE INDEX `tracks_by_cover` ON `tracks` (`cover_url`);--> statement-breakpoint
-- Covers of releases and tracks that are still to come were public from their first save.
UPDATE `uploads` SET `is_published` = 0 WHERE `is_published` = 1
AND ('/media/uploads/' || `id` IN (SELECT cover_url FROM tracks) OR '/media/uploads/' || `id` IN (SELECT cover_url FROM releases))
AND '/media/uploads/' || `id` NOT IN (SELECT cover_url FROM tracks WHERE released_at <= unixepoch() * 1000)
AND '/media/uploads/' || `id` NOT IN (SELECT cover_url FROM releases WHERE is_announced = 1 OR released_at <= unixepoch() * 1000)
AND '/media/uploads/' || `id` NOT IN (SELECT url FROM product_images)
AND '/media/uploads/' || `id` NOT IN (SELECT image_url FROM concerts)
AND '/media/uploads/' || `id` NOT IN (SELECT image_url FROM social_posts)
AND `id` NOT IN (SELECT picture_id FROM posts WHERE picture_id IS NOT NULL)
AND '/media/uploads/' || `id` NOT IN (SELECT value FROM site, json_each(
  json_array(hero_url, hero_portrait_url, share_image_url, icon_url, maskable_icon_url)));
