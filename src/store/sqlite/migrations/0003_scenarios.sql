CREATE TABLE `answer_counts` (
	`client_id` text NOT NULL,
	`request_id` text NOT NULL,
	`scenario_id` text NOT NULL,
	`rule` text NOT NULL,
	`calls` integer NOT NULL,
	PRIMARY KEY(`client_id`, `request_id`, `scenario_id`, `rule`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`client_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `clients` ADD `own_token_expired` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `clients` ADD `tokens_refused_until` integer;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `plan` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `step_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `refunds` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `refund_error` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `crypto` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `lookups` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `subscription` text;