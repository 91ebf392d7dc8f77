DROP INDEX `orders_order_id`;--> statement-breakpoint
DROP INDEX `orders_request`;--> statement-breakpoint
DROP INDEX `orders_own_id`;--> statement-breakpoint
ALTER TABLE `orders` ADD `id_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `orders` SET `id_key` = order_key(`client_id`, `request_id`);--> statement-breakpoint
CREATE INDEX `orders_key` ON `orders` (`id_key`,`charge`);--> statement-breakpoint
CREATE INDEX `orders_own_token` ON `orders` (`token`) WHERE (charge > 1 or substr(token, 29) <> id_key);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_own_id` ON `orders` (`order_id`) WHERE (charge > 1 or substr(order_id, 29) <> id_key);