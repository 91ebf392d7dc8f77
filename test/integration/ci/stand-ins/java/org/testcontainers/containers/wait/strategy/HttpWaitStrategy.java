package org.testcontainers.containers.wait.strategy;

public class HttpWaitStrategy {
  public final String path;
  public int port;

  HttpWaitStrategy(String path) {
    this.path = path;
  }

  public HttpWaitStrategy forPort(int port) {
    this.port = port;
    return this;
  }
}
