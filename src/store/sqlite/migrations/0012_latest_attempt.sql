ALTER TABLE `deliveries` ADD `attempt_at` integer;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `attempt_wall_at` integer;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `outcome` text;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `answer_status` integer;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `attempt_ms` real;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `request_headers` text;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `response_body` text;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `attempt_error` text;--> statement-breakpoint
UPDATE `deliveries` SET (`attempt_at`, `attempt_wall_at`, `outcome`, `answer_status`, `attempt_ms`, `request_headers`, `response_body`, `attempt_error`) =
	(SELECT `at`, `wall_at`, `outcome`, `status`, `ms`, `request_headers`, `response_body`, `error` FROM `attempts` WHERE `delivery_seq` = `seq` AND `n` = `attempt`)
	WHERE `attempt` > 0;--> statement-breakpoint
DELETE FROM `attempts` WHERE `n` = (SELECT `attempt` FROM `deliveries` WHERE `seq` = `delivery_seq`);