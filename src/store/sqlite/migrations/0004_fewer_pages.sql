DROP INDEX `deliveries_id_unique`;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id` ON `deliveries` (`id`) WHERE not (order_seq is not null and order_id = substr(id, 5, 8) || '-' || substr(id, 13, 4) || '-' || substr(id, 17, 4) || '-' || substr(id, 21, 4) || '-' || substr(id, 25, 12));--> statement-breakpoint
ALTER TABLE `orders` ADD `history` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `orders` SET `history` = (
	SELECT json_group_array(json_patch('{}', json_object('at', `at`, 'what', `what`, 'from', `from`, 'to', `to`, 'step', `step`)))
	FROM (SELECT * FROM `order_history` WHERE `order_seq` = `orders`.`seq` ORDER BY `seq`));--> statement-breakpoint
DROP TABLE `order_history`;