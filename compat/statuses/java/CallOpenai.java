import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import java.util.stream.Collectors;

final class CallOpenai {
  public static void main(String[] args) throws Exception {
    Calls.run(args[0].equals("openai chat") ? CallOpenai::chat : CallOpenai::respond);
  }

  private static OpenAIClient connect(String url) {
    return OpenAIOkHttpClient.builder().apiKey("key").baseUrl(url + "/v1").build();
  }

  private static String chat(String url) {
    var params = ChatCompletionCreateParams.builder().model(Calls.MODEL).addUserMessage(Calls.PROMPT).build();
    try (var stream = connect(url).chat().completions().createStreaming(params)) {
      return stream.stream()
          .flatMap(chunk -> chunk.choices().stream())
          .flatMap(choice -> choice.delta().content().stream())
          .collect(Collectors.joining());
    }
  }

  private static String respond(String url) {
    var params = ResponseCreateParams.builder().model(Calls.MODEL).input(Calls.PROMPT).build();
    try (var stream = connect(url).responses().createStreaming(params)) {
      return stream.stream()
          .flatMap(event -> event.outputTextDelta().stream())
          .map(event -> event.delta())
          .collect(Collectors.joining());
    }
  }
}
