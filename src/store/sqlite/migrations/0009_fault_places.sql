ALTER TABLE `clients` ADD `planned_faults` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `clients` ADD `began_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `clients` ADD `began_wall_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `world` ADD `planned_faults` integer DEFAULT 0 NOT NULL;