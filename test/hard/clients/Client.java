import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A client on Java's own HttpClient: creates an order and follows it to its end. Its default is HTTP/2, so it
 * sends `Upgrade: h2c` with its first request.
 * usage: java Client.java <base url> <requestId>
 */
public class Client {
  public static void main(String[] args) throws Exception {
    String base = args[0];
    String requestId = args[1];
    HttpClient http = HttpClient.newHttpClient();

    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("demo-secret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] digest = mac.doFinal(("fiatAmount=10.00&requestId=" + requestId).getBytes(StandardCharsets.UTF_8));
    String body = """
        {"currencyId":"usd_us","fiatAmount":"10.00","email":"a@example.com","requestId":"%s","clientId":"demo-client"}
        """.formatted(requestId);
    HttpResponse<String> created = http.send(
        HttpRequest.newBuilder(URI.create(base + "/v1/client/checkout/create-order"))
            .header("access-token", "demo-token")
            .header("signature", Base64.getEncoder().encodeToString(digest))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
    if (created.statusCode() != 200 || !created.body().contains("\"status\":\"CREATED\"")) {
      throw new IllegalStateException(created.statusCode() + " " + created.body());
    }

    String query = "?clientId=demo-client&requestId=" + URLEncoder.encode(requestId, StandardCharsets.UTF_8);
    for (int i = 0; i < 200; i++) {
      HttpResponse<String> orders = http.send(
          HttpRequest.newBuilder(URI.create(base + "/v1/client/orders" + query)).header("access-token", "demo-token").build(),
          HttpResponse.BodyHandlers.ofString());
      if (orders.body().contains("\"orderStatus\":\"COMPLETED\"")) {
        System.out.println("COMPLETED");
        return;
      }
      Thread.sleep(50);
    }
    throw new IllegalStateException("never completed");
  }
}
