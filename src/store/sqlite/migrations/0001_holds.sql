ALTER TABLE `clients` ADD `holds` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `released` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_held` ON `deliveries` (`client_id`) WHERE "deliveries"."status" = 'held';