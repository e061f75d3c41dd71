import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shared by the scripts of clients: runs their steps on a model of each kind of upstream, and prints a line of JSON each. */
final class Steps {
  static final String URL = System.getenv("ATTUNE_URL");
  static final String KEY = System.getenv("ATTUNE_KEY");
  static final String TEXT = "Grüße 🌍";
  static final Map<String, Object> CITY = Map.of("city", Map.of("type", "string"));

  /** Steps that are tried on models that fail too. */
  private static final List<String> PLAIN = List.of("chat", "responses", "messages");

  private static final String[][] FAILURES = {{"error", "refused"}, {"429", "limited"}};

  /** What upstreams say that fail. */
  private static final String REASON = "the oracle of Oslo";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** The text of the last answer and its id, null where the client shows none. */
  record Answer(String text, String id) {}

  record Result(boolean held, boolean rated, String note) {}

  interface Act {
    Answer on(String model) throws Exception;
  }

  static void run(Map<String, Act> steps) throws IOException {
    for (String kind : List.of("chat", "responses", "messages")) {
      String model = "attune/" + kind + "-model";
      for (var step : steps.entrySet()) printLine(model, step.getKey(), attempt(step.getValue(), model));
      for (var step : steps.entrySet()) {
        if (!PLAIN.contains(step.getKey())) continue;
        for (String[] failure : FAILURES) {
          String failing = "attune/" + kind + "-" + failure[1] + "-model";
          printLine(model, step.getKey() + " " + failure[0], fail(step.getValue(), failing));
        }
      }
    }
    System.exit(0);
  }

  private static void printLine(String model, String step, Result result) throws IOException {
    var line = new LinkedHashMap<String, Object>();
    line.put("model", model);
    line.put("step", step);
    line.put("held", result.held());
    line.put("rated", result.rated());
    line.put("note", result.note().replace("\n", " "));
    OUT.println(JSON.writeValueAsString(line));
  }

  private static Result attempt(Act act, String model) {
    try {
      Answer answer = act.on(model);
      if (!answer.text().contains(TEXT)) return new Result(false, false, "the text is " + answer.text());
      if (answer.id() == null) return new Result(true, false, "");
      if (!takesFeedback(answer.id())) return new Result(false, false, "no feedback by the id " + answer.id());
      return new Result(true, true, "");
    } catch (Exception thrown) {
      return new Result(false, false, thrown.toString());
    }
  }

  /** A call has to fail, with the upstream's reason. */
  private static Result fail(Act act, String model) {
    try {
      return new Result(false, false, "it did not fail: " + act.on(model).text());
    } catch (Exception thrown) {
      if (thrown.toString().contains(REASON)) return new Result(true, true, "");
      return new Result(false, false, "the reason is not in " + thrown);
    }
  }

  private static boolean takesFeedback(String id) throws Exception {
    String body = JSON.writeValueAsString(List.of(Map.of("id", id, "feedback", Map.of("helpful", true))));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(URL + "/v1/feedback"))
            .header("authorization", "Bearer " + KEY)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    JsonNode results = JSON.readTree(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
    return results.path(0).path("error").isNull();
  }
}
