CREATE TABLE `order_keys` (
	`id_key` text NOT NULL,
	`order_seq` integer NOT NULL,
	PRIMARY KEY(`id_key`, `order_seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `order_keys_bound` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	CONSTRAINT "order_keys_bound_is_one" CHECK("order_keys_bound"."id" = 1)
);
--> statement-breakpoint
DROP INDEX `orders_key`;