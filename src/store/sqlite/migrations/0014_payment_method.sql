ALTER TABLE `orders` ADD `payment_method_id` text;--> statement-breakpoint
UPDATE `orders` SET `payment_method_id` = CASE WHEN json_valid(`request`) THEN `request` ->> '$.paymentMethodId' END;