import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.Testcontainers;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

class EmulatorTest {
  static final DockerImageName IMAGE =
      DockerImageName.parse("registry.example.com/payment-order-emulator:0.1.0");

  static final GenericContainer<?> container =
      new GenericContainer<>(IMAGE)
          .withExposedPorts(4600)
          .waitingFor(Wait.forHttp("/_emulator/health").forPort(4600));

  static final List<String> received = new CopyOnWriteArrayList<>();
  static HttpServer application;
  static String emulator;
  String clientId;

  /** Stands for your application, which receives webhooks on a port of this machine. */
  @BeforeAll
  static void start() throws Exception {
    application = HttpServer.create(new InetSocketAddress(0), 0);
    application.createContext("/webhooks", exchange -> {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      received.add(member("orderStatus", body));
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    application.start();
    // From inside the container, this machine is host.testcontainers.internal.
    Testcontainers.exposeHostPorts(application.getAddress().getPort());
    container.start();
    emulator = "http://" + container.getHost() + ":" + container.getMappedPort(4600);
  }

  @AfterAll
  static void stop() {
    container.stop();
    application.stop(0);
  }

  /** An isolated client for each test. Your application gets its credentials. */
  @BeforeEach
  void makeClient() throws Exception {
    received.clear();
    int port = application.getAddress().getPort();
    String client = control("/clients", """
        {"webhookUrl": "http://host.testcontainers.internal:%d/webhooks", "clock": {"mode": "manual"}}
        """.formatted(port));
    clientId = member("clientId", client);
  }

  @Test
  void anOrderThatFailsIsToldByItsWebhooks() throws Exception {
    control("/orders", """
        {"clientId": "%s", "fiatAmount": "10.00", "scenario": "fail-9004"}
        """.formatted(clientId));
    control("/clock/advance?clientId=" + clientId, "{\"by\": \"1m\"}");
    assertEquals(List.of("CREATED", "FAILED"), received);
  }

  static String control(String path, String body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(emulator + "/_emulator" + path))
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertEquals(2, answer.statusCode() / 100, answer.body());
    return answer.body();
  }

  /** Enough for this example; your tests have a JSON library. */
  static String member(String name, String json) {
    var found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    return found.find() ? found.group(1) : "";
  }
}
