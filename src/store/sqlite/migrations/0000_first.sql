CREATE TABLE `answer_counts` (
	`client_id` text NOT NULL,
	`request_id` text NOT NULL,
	`scenario_id` text NOT NULL,
	`rule` text NOT NULL,
	`calls` integer NOT NULL,
	`since` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`client_id`, `request_id`, `scenario_id`, `rule`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`client_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `attempts` (
	`delivery_seq` integer NOT NULL,
	`n` integer NOT NULL,
	`at` integer NOT NULL,
	`wall_at` integer NOT NULL,
	`url` text NOT NULL,
	`outcome` text NOT NULL,
	`status` integer,
	`ms` real,
	`request_headers` text NOT NULL,
	`response_body` text,
	`error` text,
	PRIMARY KEY(`delivery_seq`, `n`),
	FOREIGN KEY (`delivery_seq`) REFERENCES `deliveries`(`seq`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `bindings` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`scenario` text NOT NULL,
	`client_id` text,
	`request_id` text,
	`remaining` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bindings_id_unique` ON `bindings` (`id`);--> statement-breakpoint
CREATE TABLE `clients` (
	`seq` integer PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`generation` integer NOT NULL,
	`api_secret` text NOT NULL,
	`access_token` text NOT NULL,
	`webhook_secret` text NOT NULL,
	`previous_webhook_secret` text,
	`webhook_url` text,
	`webhook_paused` integer NOT NULL,
	`paused_after` integer,
	`failed_in_a_row` integer DEFAULT 0 NOT NULL,
	`own_token_expired` integer DEFAULT false NOT NULL,
	`tokens_refused_until` integer,
	`default_scenario` text NOT NULL,
	`clock_mode` text NOT NULL,
	`clock_speed` real NOT NULL,
	`clock_anchor` integer NOT NULL,
	`clock_anchor_wall` integer NOT NULL,
	`settings` text NOT NULL,
	`holds` text DEFAULT '[]' NOT NULL,
	`planned_faults` integer DEFAULT 0 NOT NULL,
	`began_at` integer DEFAULT 0 NOT NULL,
	`began_wall_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_client_id_unique` ON `clients` (`client_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `clients_access_token_unique` ON `clients` (`access_token`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`seq` integer PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`order_seq` integer,
	`sequence` integer NOT NULL,
	`status` text NOT NULL,
	`due_at` integer,
	`in_flight` integer NOT NULL,
	`blocking` integer NOT NULL,
	`released` integer DEFAULT false NOT NULL,
	`attempt` integer NOT NULL,
	`order_id` text NOT NULL,
	`request_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`event_type` text NOT NULL,
	`order_status` text NOT NULL,
	`order_type` text NOT NULL,
	`created_at` integer NOT NULL,
	`url` text,
	`plan` text,
	`body` text NOT NULL,
	`batch` text,
	`batched_at` integer,
	`attempt_at` integer,
	`attempt_wall_at` integer,
	`outcome` text,
	`answer_status` integer,
	`attempt_ms` real,
	`request_headers` text,
	`response_body` text,
	`attempt_error` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`client_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_seq`) REFERENCES `orders`(`seq`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id` ON `deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `deliveries_order` ON `deliveries` (`order_seq`);--> statement-breakpoint
CREATE INDEX `deliveries_pending` ON `deliveries` (`client_id`,`in_flight`,`due_at`) WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_blocking` ON `deliveries` (`order_seq`,`sequence`) WHERE "deliveries"."blocking" = 1;--> statement-breakpoint
CREATE INDEX `deliveries_held` ON `deliveries` (`client_id`) WHERE "deliveries"."status" = 'held';--> statement-breakpoint
CREATE INDEX `deliveries_batch` ON `deliveries` (`batch`) WHERE "deliveries"."batch" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_orderless` ON `deliveries` (`order_id`) WHERE "deliveries"."order_seq" is null;--> statement-breakpoint
CREATE INDEX `deliveries_simulated` ON `deliveries` (`request_id`,`client_id`) WHERE "deliveries"."sequence" = 0;--> statement-breakpoint
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
CREATE TABLE `orders` (
	`seq` integer PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`order_id` text NOT NULL,
	`request_id` text NOT NULL,
	`charge` integer NOT NULL,
	`version` integer NOT NULL,
	`order_status` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_due_at` integer,
	`token` text NOT NULL,
	`kind` text NOT NULL,
	`fiat_amount` text NOT NULL,
	`currency_id` text NOT NULL,
	`email` text NOT NULL,
	`crypto_cur_id` text NOT NULL,
	`crypto_amount` text NOT NULL,
	`payment_status` text NOT NULL,
	`settlement_status` text NOT NULL,
	`error_reason` text,
	`received_amount` text,
	`txn_hash` text,
	`updated_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`paid_at` integer,
	`scenario_id` text NOT NULL,
	`scenario_why` text NOT NULL,
	`scenario_version` text NOT NULL,
	`next_step` integer NOT NULL,
	`step_at` integer DEFAULT 0 NOT NULL,
	`shift_ms` integer NOT NULL,
	`waits_for_payer` integer NOT NULL,
	`events` integer NOT NULL,
	`request` text NOT NULL,
	`terms` text NOT NULL,
	`refunds` text,
	`refund_error` text,
	`crypto` text,
	`lookups` text,
	`subscription` text,
	`replaced` text,
	`metadata` text,
	`history` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`client_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `orders_due` ON `orders` (`client_id`,`next_due_at`) WHERE "orders"."next_due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_request` ON `orders` (`request_id`,`client_id`,`charge`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_order_id` ON `orders` (`order_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_token` ON `orders` (`token`);--> statement-breakpoint
CREATE INDEX `orders_client` ON `orders` (`client_id`);--> statement-breakpoint
CREATE TABLE `requests` (
	`seq` integer PRIMARY KEY NOT NULL,
	`client_id` text,
	`operation` text,
	`request_id` text,
	`status` integer NOT NULL,
	`id` text NOT NULL,
	`wall_at` integer NOT NULL,
	`at` integer NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`ms` real NOT NULL,
	`headers` text NOT NULL,
	`notes` text NOT NULL,
	`diagnosis` text,
	`body` text NOT NULL,
	`response` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `requests_id_unique` ON `requests` (`id`);--> statement-breakpoint
CREATE INDEX `requests_client` ON `requests` (`client_id`);--> statement-breakpoint
CREATE TABLE `scenario_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scenario_versions` (
	`version` text PRIMARY KEY NOT NULL,
	`scenario_json` text NOT NULL,
	`format` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `status_counts` (
	`client_id` text NOT NULL,
	`what` text NOT NULL,
	`status` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`client_id`, `what`, `status`)
);
--> statement-breakpoint
CREATE TABLE `tokens` (
	`seq` integer PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`token` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`client_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_token_unique` ON `tokens` (`token`);--> statement-breakpoint
CREATE INDEX `tokens_expiry` ON `tokens` (`client_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `world` (
	`id` integer PRIMARY KEY NOT NULL,
	`seed` text,
	`pruned_requests` integer DEFAULT 0 NOT NULL,
	`settings` text DEFAULT '{}' NOT NULL,
	`planned_faults` integer DEFAULT 0 NOT NULL,
	`generation` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "world_is_one" CHECK("world"."id" = 1)
);
