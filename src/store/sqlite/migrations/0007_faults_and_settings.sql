CREATE TABLE `faults` (
	`seq` integer PRIMARY KEY NOT NULL,
	`client_id` text,
	`id` text NOT NULL,
	`calls` integer DEFAULT 0 NOT NULL,
	`hits` integer DEFAULT 0 NOT NULL,
	`fault` text NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`client_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `faults_id_unique` ON `faults` (`id`);--> statement-breakpoint
CREATE INDEX `faults_client` ON `faults` (`client_id`);--> statement-breakpoint
ALTER TABLE `world` ADD `settings` text DEFAULT '{}' NOT NULL;