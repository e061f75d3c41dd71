import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;

final class TrySpringAi {
  record City(String city) {}

  private static final ToolCallback WEATHER =
      FunctionToolCallback.builder("get_weather", (City city) -> "rain")
          .description("The weather of a city.")
          .inputType(City.class)
          .build();

  public static void main(String[] args) throws Exception {
    var steps = new LinkedHashMap<String, Steps.Act>();
    add(steps, "chat", TrySpringAi::chatClient);
    add(steps, "messages", TrySpringAi::messagesClient);
    Steps.run(steps);
  }

  private static void add(
      LinkedHashMap<String, Steps.Act> steps, String format, Function<String, ChatClient> clientOf) {
    Function<String, ChatClient.ChatClientRequestSpec> asked = model -> clientOf.apply(model).prompt("Hello");
    steps.put(format, model -> shown(asked.apply(model).call().chatResponse()));
    steps.put(
        format + " stream", model -> whole(asked.apply(model).stream().chatResponse().collectList().block()));
    steps.put(format + " tools", model -> shown(asked.apply(model).tools(WEATHER).call().chatResponse()));
  }

  private static ChatClient chatClient(String model) {
    var options =
        OpenAiChatOptions.builder().baseUrl(Steps.URL + "/v1").apiKey(Steps.KEY).maxRetries(0).model(model).build();
    return ChatClient.create(OpenAiChatModel.builder().options(options).build());
  }

  private static ChatClient messagesClient(String model) {
    var options =
        AnthropicChatOptions.builder()
            .baseUrl(Steps.URL)
            .apiKey(Steps.KEY)
            .maxRetries(0)
            .model(model)
            .maxTokens(64)
            .build();
    return ChatClient.create(AnthropicChatModel.builder().options(options).build());
  }

  private static Steps.Answer shown(ChatResponse response) {
    return new Steps.Answer(response.getResult().getOutput().getText(), response.getMetadata().getId());
  }

  private static Steps.Answer whole(List<ChatResponse> parts) {
    var text =
        parts.stream()
            .map(part -> part.getResult() == null ? null : part.getResult().getOutput().getText())
            .filter(Objects::nonNull)
            .collect(Collectors.joining());
    var id =
        parts.stream()
            .map(part -> part.getMetadata().getId())
            .filter(each -> each != null && !each.isEmpty())
            .findFirst();
    return new Steps.Answer(text, id.orElse(null));
  }
}
