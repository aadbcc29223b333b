CREATE TABLE `order_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`position` integer NOT NULL,
	`product_id` text NOT NULL,
	`variant_id` text NOT NULL,
	`product_name` text NOT NULL,
	`variant_name` text NOT NULL,
	`kind` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price_cents` integer NOT NULL,
	`discount_cents` integer DEFAULT 0 NOT NULL,
	`tax_cents` integer DEFAULT 0 NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`refunded_quantity` integer DEFAULT 0 NOT NULL,
	`restocked_quantity` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`variant_id`) REFERENCES `product_variants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_lines_quantity" CHECK("order_lines"."quantity" > 0),
	CONSTRAINT "order_lines_price" CHECK("order_lines"."unit_price_cents" >= 0),
	CONSTRAINT "order_lines_discount" CHECK("order_lines"."discount_cents" between 0 and "order_lines"."quantity" * "order_lines"."unit_price_cents"),
	CONSTRAINT "order_lines_tax" CHECK("order_lines"."tax_cents" >= 0),
	CONSTRAINT "order_lines_held" CHECK("order_lines"."held" in (0, "order_lines"."quantity" - "order_lines"."restocked_quantity")),
	CONSTRAINT "order_lines_refund" CHECK("order_lines"."refunded_cents" >= 0 and "order_lines"."refunded_quantity" between 0 and "order_lines"."quantity"),
	CONSTRAINT "order_lines_restock" CHECK("order_lines"."restocked_quantity" between 0 and "order_lines"."refunded_quantity")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_lines_position` ON `order_lines` (`order_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `order_lines_variant` ON `order_lines` (`order_id`,`variant_id`);--> statement-breakpoint
CREATE INDEX `order_lines_by_variant` ON `order_lines` (`variant_id`);--> statement-breakpoint
CREATE INDEX `order_lines_by_product` ON `order_lines` (`product_id`);--> statement-breakpoint
CREATE TABLE `bundle_items` (
	`bundle_variant_id` text NOT NULL,
	`variant_id` text NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`bundle_variant_id`, `variant_id`),
	FOREIGN KEY (`bundle_variant_id`) REFERENCES `product_variants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`variant_id`) REFERENCES `product_variants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bundle_items_quantity" CHECK("bundle_items"."quantity" > 0)
);
--> statement-breakpoint
CREATE INDEX `bundle_items_by_variant` ON `bundle_items` (`variant_id`);--> statement-breakpoint
CREATE TABLE `product_variants` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`options` text NOT NULL,
	`sku` text,
	`price_cents` integer NOT NULL,
	`minimum_cents` integer,
	`suggested_cents` integer,
	`stock` integer,
	`weight_grams` integer DEFAULT 0 NOT NULL,
	`image_url` text DEFAULT '' NOT NULL,
	`release_slug` text,
	`track_id` integer,
	`removed_at` integer,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "product_variants_options" CHECK(json_valid("product_variants"."options")),
	CONSTRAINT "product_variants_price" CHECK("product_variants"."price_cents" >= 0),
	CONSTRAINT "product_variants_minimum" CHECK("product_variants"."minimum_cents" >= 0 and "product_variants"."minimum_cents" <= "product_variants"."suggested_cents"),
	CONSTRAINT "product_variants_stock" CHECK("product_variants"."stock" >= 0),
	CONSTRAINT "product_variants_weight" CHECK("product_variants"."weight_grams" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `product_variants_sku` ON `product_variants` (`sku`) WHERE sku is not null;--> statement-breakpoint
CREATE INDEX `product_variants_of_product` ON `product_variants` (`product_id`,`position`);--> statement-breakpoint
ALTER TABLE `orders` ADD `units` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `lines_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `shipping_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `tax_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `tax_included` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `currency` text DEFAULT 'USD' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `shipping_method` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `is_cart` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `change_id` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `refunded_shipping_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_one_open_cart` ON `orders` (`checkout_key_hash`) WHERE status in ('pending', 'failed') and checkout_key_hash is not null and is_cart = 1;--> statement-breakpoint
ALTER TABLE `products` ADD `kind` text DEFAULT 'shipped' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `releases_at` integer;--> statement-breakpoint
ALTER TABLE `products` ADD `size_guide` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Adds, changes no row's money and rebuilds no table: the CHECK on the amount of `orders` remains, see
-- docs/decisions/0022-order-lines.md. Every product gets one variant, every order one line.
UPDATE products SET kind = 'pickup' WHERE ships = 0;--> statement-breakpoint
INSERT INTO product_variants (id, product_id, position, name, options, price_cents, stock)
SELECT id || '-1', id, 1, '', '{}', price_cents, stock FROM products;--> statement-breakpoint
INSERT INTO order_lines (id, order_id, position, product_id, variant_id, product_name, variant_name, kind, quantity,
  unit_price_cents, discount_cents, held, refunded_cents, refunded_quantity)
SELECT o.id || '-1', o.id, 1, p.id, p.id || '-1', p.name, '', p.kind, o.quantity, o.unit_price_cents, o.discount_cents, o.held,
  o.refunded_cents, iif(o.refunded_cents > 0 AND o.refunded_cents >= o.amount_cents, o.quantity, 0)
FROM orders o JOIN products p ON p.id = o.product_id;--> statement-breakpoint
UPDATE orders SET units = quantity, lines_cents = quantity * unit_price_cents;
--> statement-breakpoint
-- A product is never without a variant.
CREATE TRIGGER products_first_variant AFTER INSERT ON products BEGIN
  INSERT INTO product_variants (id, product_id, position, name, options, price_cents, stock)
  VALUES (NEW.id || '-1', NEW.id, 1, '', '{}', NEW.price_cents, NEW.stock);
END;
--> statement-breakpoint
-- Price and stock of a product are those of its variants; the stock of a bundle is that of its items. 1000000 is
-- UNLIMITED_STOCK of worker/contract/products.ts.
CREATE TRIGGER product_variants_sum_add AFTER INSERT ON product_variants BEGIN
  UPDATE products SET
    price_cents = (SELECT min(price_cents) FROM product_variants WHERE product_id = products.id AND removed_at IS NULL),
    stock = (SELECT iif(count(*) > count(stock), 1000000, sum(stock)) FROM product_variants WHERE product_id = products.id AND removed_at IS NULL)
  WHERE id = NEW.product_id AND EXISTS (SELECT 1 FROM product_variants WHERE product_id = products.id AND removed_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER product_variants_sum_change AFTER UPDATE OF price_cents, stock, removed_at ON product_variants BEGIN
  UPDATE product_variants SET stock = (SELECT min(iif(i.removed_at IS NULL, i.stock / b.quantity, 0))
    FROM bundle_items b JOIN product_variants i ON i.id = b.variant_id WHERE b.bundle_variant_id = product_variants.id)
  WHERE id IN (SELECT bundle_variant_id FROM bundle_items WHERE variant_id = NEW.id);
  UPDATE products SET
    price_cents = (SELECT min(price_cents) FROM product_variants WHERE product_id = products.id AND removed_at IS NULL),
    stock = (SELECT iif(count(*) > count(stock), 1000000, sum(stock)) FROM product_variants WHERE product_id = products.id AND removed_at IS NULL)
  WHERE id IN (SELECT NEW.product_id UNION SELECT v.product_id FROM bundle_items b JOIN product_variants v ON v.id = b.bundle_variant_id WHERE b.variant_id = NEW.id)
    AND EXISTS (SELECT 1 FROM product_variants WHERE product_id = products.id AND removed_at IS NULL);
END;
--> statement-breakpoint
-- Held stock is released as it was taken, so a bundle's contents are final once it is ordered.
CREATE TRIGGER bundle_items_add BEFORE INSERT ON bundle_items
WHEN EXISTS (SELECT 1 FROM order_lines WHERE variant_id = NEW.bundle_variant_id)
  OR EXISTS (SELECT 1 FROM bundle_items WHERE bundle_variant_id = NEW.variant_id OR variant_id = NEW.bundle_variant_id)
  OR NEW.variant_id = NEW.bundle_variant_id BEGIN
  SELECT RAISE(ABORT, 'a bundle contains no bundle, and cannot change once it is ordered');
END;
--> statement-breakpoint
CREATE TRIGGER bundle_items_are_final BEFORE UPDATE ON bundle_items BEGIN
  SELECT RAISE(ABORT, 'bundle items are added and deleted, never changed');
END;
--> statement-breakpoint
CREATE TRIGGER bundle_items_remove BEFORE DELETE ON bundle_items
WHEN EXISTS (SELECT 1 FROM order_lines WHERE variant_id = OLD.bundle_variant_id) BEGIN
  SELECT RAISE(ABORT, 'a bundle contains no bundle, and cannot change once it is ordered');
END;
--> statement-breakpoint
CREATE TRIGGER bundle_items_sum_add AFTER INSERT ON bundle_items BEGIN
  UPDATE product_variants SET stock = (SELECT min(iif(i.removed_at IS NULL, i.stock / b.quantity, 0))
    FROM bundle_items b JOIN product_variants i ON i.id = b.variant_id WHERE b.bundle_variant_id = product_variants.id)
  WHERE id = NEW.bundle_variant_id;
END;
--> statement-breakpoint
CREATE TRIGGER bundle_items_sum_remove AFTER DELETE ON bundle_items BEGIN
  UPDATE product_variants SET stock = CASE WHEN EXISTS (SELECT 1 FROM bundle_items WHERE bundle_variant_id = product_variants.id)
    THEN (SELECT min(iif(i.removed_at IS NULL, i.stock / b.quantity, 0))
      FROM bundle_items b JOIN product_variants i ON i.id = b.variant_id WHERE b.bundle_variant_id = product_variants.id)
    ELSE 0 END
  WHERE id = OLD.bundle_variant_id;
END;
--> statement-breakpoint
-- The stock of a variant, or of a bundle's items, moves in the statement that changes `held` of a line. The CHECK on the
-- variant rejects the statement when too few units are left.
CREATE TRIGGER order_lines_take_stock AFTER INSERT ON order_lines WHEN NEW.held > 0 BEGIN
  UPDATE product_variants SET stock = stock - NEW.held * coalesce(
    (SELECT quantity FROM bundle_items WHERE bundle_variant_id = NEW.variant_id AND variant_id = product_variants.id), 1)
  WHERE stock IS NOT NULL AND (id IN (SELECT variant_id FROM bundle_items WHERE bundle_variant_id = NEW.variant_id)
    OR (id = NEW.variant_id AND NOT EXISTS (SELECT 1 FROM bundle_items WHERE bundle_variant_id = NEW.variant_id)));
END;
--> statement-breakpoint
CREATE TRIGGER order_lines_move_stock AFTER UPDATE OF held ON order_lines WHEN NEW.held <> OLD.held BEGIN
  UPDATE product_variants SET stock = stock - (NEW.held - OLD.held) * coalesce(
    (SELECT quantity FROM bundle_items WHERE bundle_variant_id = NEW.variant_id AND variant_id = product_variants.id), 1)
  WHERE stock IS NOT NULL AND (id IN (SELECT variant_id FROM bundle_items WHERE bundle_variant_id = NEW.variant_id)
    OR (id = NEW.variant_id AND NOT EXISTS (SELECT 1 FROM bundle_items WHERE bundle_variant_id = NEW.variant_id)));
END;
--> statement-breakpoint
DROP TRIGGER orders_take_stock;--> statement-breakpoint
DROP TRIGGER orders_move_stock;--> statement-breakpoint
DROP TRIGGER orders_hold_all_or_none_new;--> statement-breakpoint
DROP TRIGGER orders_hold_all_or_none;
--> statement-breakpoint
-- `held` of an order takes the stock of all its lines or of none.
CREATE TRIGGER orders_move_stock AFTER UPDATE OF held ON orders WHEN (NEW.held = 0) <> (OLD.held = 0) BEGIN
  UPDATE order_lines SET held = iif(NEW.held = 0, 0, quantity - restocked_quantity) WHERE order_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER orders_hold_all_or_none_new BEFORE INSERT ON orders
WHEN NEW.held NOT IN (0, iif(NEW.units = 0, NEW.quantity, 0)) OR (NEW.held > 0 AND NEW.status IN ('failed', 'expired')) BEGIN
  SELECT RAISE(ABORT, 'an order holds all of its units or none, after its lines are added, and none once it has failed');
END;
--> statement-breakpoint
CREATE TRIGGER orders_hold_all_or_none BEFORE UPDATE ON orders
WHEN NEW.held NOT IN (0, NEW.units) OR (NEW.held > 0 AND NEW.status IN ('failed', 'expired')) BEGIN
  SELECT RAISE(ABORT, 'an order holds all of its units or none, and none once it has failed');
END;
--> statement-breakpoint
CREATE TRIGGER orders_add_up_new BEFORE INSERT ON orders
WHEN NEW.units > 0 AND NEW.amount_cents <> NEW.lines_cents + NEW.shipping_cents - NEW.discount_cents + iif(NEW.tax_included, 0, NEW.tax_cents) BEGIN
  SELECT RAISE(ABORT, 'the total of an order is the sum of its parts');
END;
--> statement-breakpoint
CREATE TRIGGER orders_add_up BEFORE UPDATE ON orders
WHEN NEW.units > 0 AND NEW.amount_cents <> NEW.lines_cents + NEW.shipping_cents - NEW.discount_cents + iif(NEW.tax_included, 0, NEW.tax_cents) BEGIN
  SELECT RAISE(ABORT, 'the total of an order is the sum of its parts');
END;
--> statement-breakpoint
-- A deployment migrates before it switches: an order that the previous version inserts in between gets its line.
CREATE TRIGGER orders_first_line AFTER INSERT ON orders WHEN NEW.units = 0 BEGIN
  UPDATE orders SET units = NEW.quantity, lines_cents = NEW.quantity * NEW.unit_price_cents WHERE id = NEW.id;
  INSERT INTO order_lines (id, order_id, position, product_id, variant_id, product_name, variant_name, kind, quantity,
    unit_price_cents, discount_cents, held, refunded_cents, refunded_quantity)
  SELECT NEW.id || '-1', NEW.id, 1, p.id, v.id, p.name, v.name, p.kind, NEW.quantity, NEW.unit_price_cents, NEW.discount_cents,
    NEW.held, NEW.refunded_cents, iif(NEW.refunded_cents > 0 AND NEW.refunded_cents >= NEW.amount_cents, NEW.quantity, 0)
  FROM products p JOIN product_variants v ON v.product_id = p.id WHERE p.id = NEW.product_id AND v.removed_at IS NULL
  ORDER BY v.position LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER product_variants_public_insert AFTER INSERT ON product_variants BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER product_variants_public_update AFTER UPDATE ON product_variants BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER product_variants_public_delete AFTER DELETE ON product_variants BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER bundle_items_public_insert AFTER INSERT ON bundle_items BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER bundle_items_public_update AFTER UPDATE ON bundle_items BEGIN
  UPDATE data_version SET version = version + 1;
END;
--> statement-breakpoint
CREATE TRIGGER bundle_items_public_delete AFTER DELETE ON bundle_items BEGIN
  UPDATE data_version SET version = version + 1;
END;
