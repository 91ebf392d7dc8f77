CREATE TABLE `scenario_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL
);
