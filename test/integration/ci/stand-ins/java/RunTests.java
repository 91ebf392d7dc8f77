import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs the methods of EmulatorTest in the order that JUnit would; it has one test. */
class RunTests {
  public static void main(String[] args) throws Throwable {
    Object instance = new EmulatorTest();
    try {
      call(BeforeAll.class, instance);
      call(BeforeEach.class, instance);
      call(Test.class, instance);
      System.out.println("OK");
    } finally {
      call(AfterAll.class, instance);
    }
  }

  static void call(Class<? extends Annotation> kind, Object instance) throws Throwable {
    for (var method : EmulatorTest.class.getDeclaredMethods()) {
      if (!method.isAnnotationPresent(kind)) continue;
      try {
        method.invoke(instance);
      } catch (InvocationTargetException error) {
        throw error.getCause();
      }
    }
  }
}
