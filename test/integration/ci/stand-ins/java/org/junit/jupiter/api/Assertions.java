package org.junit.jupiter.api;

import java.util.Objects;

public class Assertions {
  public static void assertEquals(Object expected, Object actual) {
    assertEquals(expected, actual, "");
  }

  public static void assertEquals(Object expected, Object actual, String message) {
    if (!Objects.equals(expected, actual))
      throw new AssertionError(message + ": expected " + expected + ", not " + actual);
  }
}
