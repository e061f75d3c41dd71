import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Makes one call of a client for each column, and prints of each, as a line of JSON, how it ended. */
final class Calls {
  static final String MODEL = "attune/gpt-6-astra";
  static final String CLAUDE = "attune/claude-sonnet-5-5";
  static final String PROMPT = "Good day?";

  /** A call that is still waiting by then is ended. */
  private static final long LIMIT_S = 80;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  /** Makes a call to a base URL without /v1, and returns the text of its stream. */
  interface Call {
    String to(String url) throws Exception;
  }

  private record End(String column, boolean isText, String note) {}

  static void run(Call call) throws Exception {
    var columns = JSON.readValue(System.getenv("COLUMNS"), String[].class);
    var ends = new LinkedHashMap<String, Future<End>>();
    for (int index = 0; index < columns.length; index++) {
      var column = columns[index];
      var url = System.getenv("SERVER") + "/" + index;
      ends.put(column, THREADS.submit(() -> attempt(column, call, url)));
    }
    for (var end : ends.values()) System.out.println(JSON.writeValueAsString(end.get()));
    System.exit(0);
  }

  private static End attempt(String column, Call call, String url) throws InterruptedException {
    try {
      var text = THREADS.submit(() -> call.to(url)).get(LIMIT_S, TimeUnit.SECONDS);
      return new End(column, text.contains("Good day."), text);
    } catch (TimeoutException thrown) {
      return new End(column, false, "still waiting");
    } catch (ExecutionException thrown) {
      return new End(column, false, String.valueOf(thrown.getCause()));
    }
  }
}
