package org.testcontainers.utility;

public class DockerImageName {
  public static DockerImageName parse(String name) {
    return new DockerImageName();
  }
}
