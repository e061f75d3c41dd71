import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.models.messages.MessageCreateParams;
import java.util.stream.Collectors;

final class CallAnthropic {
  public static void main(String[] args) throws Exception {
    Calls.run(CallAnthropic::message);
  }

  private static String message(String url) {
    var client = AnthropicOkHttpClient.builder().apiKey("key").baseUrl(url).build();
    var params = MessageCreateParams.builder().model(Calls.CLAUDE).maxTokens(100).addUserMessage(Calls.PROMPT).build();
    try (var stream = client.messages().createStreaming(params)) {
      return stream.stream()
          .flatMap(event -> event.contentBlockDelta().stream())
          .flatMap(event -> event.delta().text().stream())
          .map(delta -> delta.text())
          .collect(Collectors.joining());
    }
  }
}
