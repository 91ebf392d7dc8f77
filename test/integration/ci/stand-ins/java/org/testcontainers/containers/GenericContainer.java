package org.testcontainers.containers;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import org.testcontainers.Testcontainers;
import org.testcontainers.containers.wait.strategy.HttpWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/** Instead of a container: the emulator that runs at EMULATOR_URL. */
public class GenericContainer<SELF extends GenericContainer<SELF>> {
  private final URI url = URI.create(System.getenv("EMULATOR_URL"));
  private List<Integer> ports = List.of();
  private HttpWaitStrategy wait;

  public GenericContainer(DockerImageName image) {}

  public GenericContainer<SELF> withExposedPorts(Integer... ports) {
    this.ports = List.of(ports);
    return this;
  }

  public GenericContainer<SELF> waitingFor(HttpWaitStrategy wait) {
    this.wait = wait;
    return this;
  }

  public void start() {
    try {
      var connection = (HttpURLConnection) url.resolve(wait.path).toURL().openConnection();
      boolean healthy = connection.getResponseCode() == 200;
      if (!healthy || Testcontainers.exposed == 0 || !ports.contains(wait.port))
        throw new IllegalStateException("this would wait for ever");
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  public void stop() {}

  public String getHost() {
    return url.getHost();
  }

  public Integer getMappedPort(int port) {
    return url.getPort();
  }
}
