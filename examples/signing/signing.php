<?php

// Signs and creates a checkout order and a subscription, looks an order up, and receives a webhook whose signature it
// verifies. PHP 8.1 or newer with the curl extension. Ends with 1 if anything is not as it should be.
// usage: php signing.php [requestId]

declare(strict_types=1);

/** HMAC-SHA256 of the text (UTF-8) in base64. Without `binary: true` it would be the base64 of hex digits. */
function sign(string $text): string
{
    return base64_encode(hash_hmac('sha256', $text, setting('PAYMENT_ORDER_API_SECRET'), binary: true));
}

/**
 * The values as they stand in the body before JSON escapes them: `http_build_query` would percent-encode them. The
 * service's document prints a second form, which begins with `currencyId=...&`; ask which one your account takes.
 */
function checkout_text(array $order): string
{
    return "fiatAmount={$order['fiatAmount']}&requestId={$order['requestId']}";
}

/** The order of the members is fixed, and an empty `trialPeriodDays` is left out. */
function subscription_text(array $order): string
{
    $text = "currencyId={$order['currencyId']}&" . checkout_text($order) . "&interval={$order['interval']}";
    $days = $order['trialPeriodDays'] ?? '';
    return $days === '' ? $text : "$text&trialPeriodDays=$days"; // empty('0') would be true
}

/**
 * Why a webhook is not to be believed; null if it is genuine. These headers are those of Standard Webhooks, and an
 * addition of the emulator: the service's document shows no way to verify a webhook (choice N38).
 *
 * @param string $body the very bytes that came: decoded and encoded anew, the same JSON would have other bytes
 */
function refusal(array $server, string $body): ?string
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = $server['HTTP_WEBHOOK_SIGNATURE'] ?? '';
    if ($id === '' || $timestamp === '' || $signatures === '') {
        return 'a header is missing';
    }
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return 'the timestamp differs by more than five minutes';
    }
    $secret = setting('PAYMENT_ORDER_WEBHOOK_SECRET');
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret)); // the key is what follows whsec_, decoded
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, binary: true));
    // While a secret is being replaced there are several signatures, with a space between them. `hash_equals` takes as
    // long wherever the two differ: `===` would tell a forger how many characters are right.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return null;
        }
    }
    return 'the signature is wrong';
}

/** One webhook, as PHP receives it behind any web server: the raw body is in `php://input`, `$_POST` is empty. */
function receive(): void
{
    $body = file_get_contents('php://input');
    $reason = refusal($_SERVER, $body);
    http_response_code($reason === null ? 204 : 401);
    flush(); // the answer leaves now
    // The same webhook may come again: remember the `webhook-id` of what you have worked through.
    $told = $reason === null ? ['event' => json_decode($body)] : ['refusal' => $reason];
    file_put_contents(setting('RECEIVED_FILE'), json_encode($told) . "\n", FILE_APPEND | LOCK_EX);
}

/** Starts PHP's own web server on a free port, with this file as what it serves. */
function start_receiver(string $received): string
{
    $probe = stream_socket_server('tcp://127.0.0.1:0');
    $address = stream_socket_get_name($probe, false);
    fclose($probe);
    putenv("RECEIVED_FILE=$received");
    $server = proc_open([PHP_BINARY, '-S', $address, __FILE__], [2 => ['file', '/dev/null', 'w']], $pipes);
    register_shutdown_function(function () use ($server, $received): void {
        proc_terminate($server);
        unlink($received);
    });
    $until = microtime(true) + 10;
    while (!($open = @stream_socket_client("tcp://$address")) && microtime(true) < $until) {
        usleep(10_000);
    }
    return $open ? "http://$address/webhooks" : fail('the receiver does not start');
}

function webhook_about(string $request_id, string $received): array
{
    for ($until = microtime(true) + 10; microtime(true) < $until; usleep(10_000)) {
        foreach (file($received) as $line) {
            $told = json_decode($line, true);
            if (isset($told['refusal'])) {
                fail("webhook refused: {$told['refusal']}");
            }
            if ($told['event']['requestId'] === $request_id) {
                return $told['event'];
            }
        }
    }
    fail('no webhook came within 10 seconds');
}

function call(string $path, ?array $body = null, string ...$headers): array
{
    $curl = curl_init(setting('PAYMENT_ORDER_BASE_URL') . $path);
    $headers[] = 'access-token: ' . setting('PAYMENT_ORDER_ACCESS_TOKEN');
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json'; // otherwise curl announces a form
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
    }
    curl_setopt_array($curl, [CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true]);
    $text = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status !== 200) {
        fail("$path answered $status " . ($text === false ? curl_error($curl) : $text));
    }
    return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
}

function main(string $request_id): void
{
    $client_id = setting('PAYMENT_ORDER_CLIENT_ID');
    $received = tempnam(sys_get_temp_dir(), 'webhooks');
    call('/v1/client/webhook-url', ['webhookUrl' => start_receiver($received)], "client-id: $client_id");

    // Amounts are texts: the number 10.00 would become 10.0 in the body, which is another text than the one signed.
    $checkout = [
        'clientId' => $client_id,
        'requestId' => $request_id,
        'currencyId' => 'usd_us',
        'fiatAmount' => '10.00',
        'email' => 'buyer@example.com',
    ];
    $signature = sign(checkout_text($checkout));
    $created = call('/v1/client/checkout/create-order', $checkout, "signature: $signature");
    echo "checkout $request_id: {$created['status']}\n";

    $monthly = ['requestId' => "$request_id-monthly", 'interval' => 'MONTHLY', 'trialPeriodDays' => '7'] + $checkout;
    $signature = sign(subscription_text($monthly));
    $created = call('/v1/client/subscription/create-order', $monthly, "signature: $signature");
    echo "subscription {$monthly['requestId']}: {$created['status']}\n";

    // In a query the values are encoded (`+` would arrive as a space), in the signed text they never are.
    $query = http_build_query(['requestId' => $request_id, 'clientId' => $client_id]);
    $found = call("/v1/client/orders?$query")['data'];
    if (array_column($found, 'requestId') !== [$request_id]) {
        fail('found ' . json_encode($found));
    }
    echo "lookup $request_id: {$found[0]['orderStatus']}\n";

    $event = webhook_about($request_id, $received);
    echo "webhook {$event['requestId']}: {$event['orderStatus']}\n";
}

function setting(string $name): string
{
    return getenv($name) ?: fail("$name is not set");
}

function fail(string $message): never
{
    fwrite(fopen('php://stderr', 'w'), "$message\n");
    exit(1);
}

if (PHP_SAPI === 'cli-server') {
    receive();
} else {
    main($argv[1] ?? bin2hex(random_bytes(16))); // globally unique, and kept with your order
}
