import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs and creates a checkout order and a subscription, looks an order up, and receives a webhook whose signature it
 * verifies. Java 17 or newer, no libraries. Ends with 1 if anything is not as it should be.
 *
 * <p>usage: java Signing.java [requestId]
 */
public class Signing {
  static final String BASE_URL = setting("PAYMENT_ORDER_BASE_URL");
  static final String CLIENT_ID = setting("PAYMENT_ORDER_CLIENT_ID");
  static final String API_SECRET = setting("PAYMENT_ORDER_API_SECRET");
  static final String ACCESS_TOKEN = setting("PAYMENT_ORDER_ACCESS_TOKEN");
  static final String WEBHOOK_SECRET = setting("PAYMENT_ORDER_WEBHOOK_SECRET");

  static final HttpClient HTTP = HttpClient.newHttpClient();

  /** HMAC-SHA256 of the UTF-8 text in base64. Up to Java 17, `getBytes()` takes the charset of the machine. */
  static String sign(String text) {
    return base64(hmac(API_SECRET.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * The values as they stand in the body before JSON escapes them, not percent-encoded, not trimmed. The service's
   * document prints a second form, which begins with `currencyId=...&`; ask which one your account takes.
   */
  static String checkoutText(Map<String, String> order) {
    return "fiatAmount=" + order.get("fiatAmount") + "&requestId=" + order.get("requestId");
  }

  /** The order of the members is fixed, and an empty `trialPeriodDays` is left out. */
  static String subscriptionText(Map<String, String> order) {
    String text = "currencyId=" + order.get("currencyId") + "&" + checkoutText(order);
    text += "&interval=" + order.get("interval");
    String days = order.getOrDefault("trialPeriodDays", "");
    return days.isEmpty() ? text : text + "&trialPeriodDays=" + days;
  }

  /**
   * Why a webhook is not to be believed; null if it is genuine. These headers are those of Standard Webhooks, and an
   * addition of the emulator: the service's document shows no way to verify a webhook (choice N38).
   *
   * @param headers find a name in any case
   * @param body the very bytes that came: parsed and written anew, the same JSON would have other bytes
   */
  static String refusal(Headers headers, byte[] body) {
    String id = headers.getFirst("webhook-id");
    String timestamp = headers.getFirst("webhook-timestamp");
    String signatures = headers.getFirst("webhook-signature");
    if (id == null || timestamp == null || signatures == null) return "a header is missing";
    boolean digits = timestamp.matches("[0-9]{1,12}");
    if (!digits || Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) {
      return "the timestamp differs by more than five minutes";
    }
    byte[] key = Base64.getDecoder().decode(WEBHOOK_SECRET.replaceFirst("^whsec_", "")); // decoded, it is the key
    byte[] head = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    byte[] expected = ("v1," + base64(hmac(key, head, body))).getBytes(StandardCharsets.UTF_8);
    // While a secret is being replaced there are several signatures, with a space between them. `isEqual` takes as long
    // wherever the two differ: `equals` would tell a forger how many characters are right.
    for (String signature : signatures.split(" ")) {
      if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) return null;
    }
    return "the signature is wrong";
  }

  static byte[] hmac(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      for (byte[] part : parts) mac.update(part);
      return mac.doFinal();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible); // every JDK has HmacSHA256
    }
  }

  /** With its padding, and with `+` and `/`: not the URL encoder, and not the MIME encoder, which breaks lines. */
  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** What a webhook tells, or why it was refused. */
  record Received(String json, String refusal) {}

  static final BlockingQueue<Received> WEBHOOKS = new LinkedBlockingQueue<>();

  static void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String refusal = refusal(exchange.getRequestHeaders(), body);
    exchange.sendResponseHeaders(refusal == null ? 204 : 401, -1);
    exchange.close();
    // The same webhook may come again: remember the `webhook-id` of what you have worked through.
    WEBHOOKS.add(new Received(new String(body, StandardCharsets.UTF_8), refusal));
  }

  static String webhookAbout(String requestId) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (true) {
      Received webhook = WEBHOOKS.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (webhook == null) throw new IllegalStateException("no webhook came within 10 seconds");
      if (webhook.refusal() != null) throw new IllegalStateException("webhook refused: " + webhook.refusal());
      if (webhook.json().contains("\"requestId\":" + quoted(requestId))) return webhook.json();
    }
  }

  static String call(String path, Map<String, String> body, String... headers)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(BASE_URL + path)).header("access-token", ACCESS_TOKEN);
    if (headers.length > 0) request.headers(headers);
    if (body != null) request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(json(body)));
    var answer = HTTP.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() == 200) return answer.body();
    throw new IOException(path + " answered " + answer.statusCode() + " " + answer.body());
  }

  static void ordersAndLookup(String requestId, String webhookUrl) throws IOException, InterruptedException {
    call("/v1/client/webhook-url", Map.of("webhookUrl", webhookUrl), "client-id", CLIENT_ID);

    // Amounts are texts from beginning to end: a number that is formatted twice can give 10.00 and 10.0.
    var checkout = new LinkedHashMap<String, String>();
    checkout.put("clientId", CLIENT_ID);
    checkout.put("requestId", requestId);
    checkout.put("currencyId", "usd_us");
    checkout.put("fiatAmount", "10.00");
    checkout.put("email", "buyer@example.com");
    String created = call("/v1/client/checkout/create-order", checkout, "signature", sign(checkoutText(checkout)));
    System.out.println("checkout " + requestId + ": " + texts(created, "status").get(0));

    var monthly = new LinkedHashMap<>(checkout);
    monthly.put("requestId", requestId + "-monthly");
    monthly.put("interval", "MONTHLY");
    monthly.put("trialPeriodDays", "7");
    created = call("/v1/client/subscription/create-order", monthly, "signature", sign(subscriptionText(monthly)));
    System.out.println("subscription " + monthly.get("requestId") + ": " + texts(created, "status").get(0));

    // In a query the values are encoded (`+` would arrive as a space), in the signed text they never are.
    String query = "requestId=" + URLEncoder.encode(requestId, StandardCharsets.UTF_8)
        + "&clientId=" + URLEncoder.encode(CLIENT_ID, StandardCharsets.UTF_8);
    String found = call("/v1/client/orders?" + query, null);
    if (!texts(found, "requestId").equals(List.of(requestId))) throw new IllegalStateException("found " + found);
    System.out.println("lookup " + requestId + ": " + texts(found, "orderStatus").get(0));
  }

  public static void main(String[] arguments) throws Exception {
    String requestId = arguments.length > 0 ? arguments[0] : UUID.randomUUID().toString(); // kept with your order
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/webhooks", Signing::receive);
    server.start();
    try {
      ordersAndLookup(requestId, "http://127.0.0.1:" + server.getAddress().getPort() + "/webhooks");
      System.out.println("webhook " + requestId + ": " + texts(webhookAbout(requestId), "orderStatus").get(0));
    } catch (IOException | IllegalStateException failure) {
      fail(failure.getMessage());
    } finally {
      server.stop(0);
    }
  }

  // The JDK has no JSON. Take the library that your project has; these two methods are enough for this program.

  static String json(Map<String, String> members) {
    Stream<String> written = members.entrySet().stream().map(e -> quoted(e.getKey()) + ":" + quoted(e.getValue()));
    return written.collect(Collectors.joining(",", "{", "}"));
  }

  static List<String> texts(String json, String name) {
    var found = Pattern.compile(quoted(name) + "\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
    var texts = new ArrayList<String>();
    while (found.find()) texts.add(found.group(1).replace("\\\"", "\"").replace("\\\\", "\\"));
    return texts;
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  static String setting(String name) {
    String value = System.getenv(name);
    if (value == null || value.isEmpty()) fail(name + " is not set");
    return value;
  }

  static void fail(String message) {
    System.err.println(message);
    System.exit(1);
  }
}
