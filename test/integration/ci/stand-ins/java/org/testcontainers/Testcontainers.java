package org.testcontainers;

public class Testcontainers {
  public static int exposed = 0;

  public static void exposeHostPorts(int... ports) {
    exposed += ports.length;
  }
}
