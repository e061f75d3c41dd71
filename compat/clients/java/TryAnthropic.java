import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCountTokensParams;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import java.util.LinkedHashMap;
import java.util.stream.Collectors;

final class TryAnthropic {
  private static final AnthropicClient CLIENT =
      AnthropicOkHttpClient.builder().apiKey(Steps.KEY).baseUrl(Steps.URL).maxRetries(0).build();

  public static void main(String[] args) throws Exception {
    var steps = new LinkedHashMap<String, Steps.Act>();
    steps.put("messages", TryAnthropic::messages);
    steps.put("stream", TryAnthropic::stream);
    steps.put("tools", TryAnthropic::tools);
    steps.put("token count", TryAnthropic::tokenCount);
    Steps.run(steps);
  }

  private static MessageCreateParams.Builder params(String model) {
    return MessageCreateParams.builder().model(model).maxTokens(1000).addUserMessage("Hello");
  }

  private static Steps.Answer shown(Message message) {
    var text =
        message.content().stream()
            .flatMap(block -> block.text().stream())
            .map(block -> block.text())
            .collect(Collectors.joining());
    return new Steps.Answer(text, message.id());
  }

  private static Steps.Answer messages(String model) {
    return shown(CLIENT.messages().create(params(model).build()));
  }

  private static Steps.Answer stream(String model) {
    var whole = MessageAccumulator.create();
    try (var stream = CLIENT.messages().createStreaming(params(model).build())) {
      stream.stream().forEach(whole::accumulate);
    }
    return shown(whole.message());
  }

  private static Steps.Answer tools(String model) {
    var properties = Tool.InputSchema.Properties.builder();
    Steps.CITY.forEach((name, schema) -> properties.putAdditionalProperty(name, JsonValue.from(schema)));
    var schema = Tool.InputSchema.builder().properties(properties.build()).build();
    var asked = params(model).addTool(Tool.builder().name("get_weather").inputSchema(schema).build());
    var called = CLIENT.messages().create(asked.build());
    var results =
        called.content().stream()
            .flatMap(block -> block.toolUse().stream())
            .map(use -> ToolResultBlockParam.builder().toolUseId(use.id()).content("rain").build())
            .map(ContentBlockParam::ofToolResult)
            .toList();
    asked.addMessage(called).addUserMessageOfContentBlockParams(results);
    return shown(CLIENT.messages().create(asked.build()));
  }

  private static Steps.Answer tokenCount(String model) {
    var params = MessageCountTokensParams.builder().model(model).addUserMessage("Hello").build();
    var count = CLIENT.messages().countTokens(params).inputTokens();
    return new Steps.Answer(count > 0 ? Steps.TEXT : "none", null);
  }
}
