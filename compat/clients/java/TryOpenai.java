import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseInputItem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

final class TryOpenai {
  private static final OpenAIClient CLIENT =
      OpenAIOkHttpClient.builder().apiKey(Steps.KEY).baseUrl(Steps.URL + "/v1").maxRetries(0).build();

  public static void main(String[] args) throws Exception {
    var steps = new LinkedHashMap<String, Steps.Act>();
    steps.put("chat", TryOpenai::chat);
    steps.put("chat stream", TryOpenai::chatStream);
    steps.put("chat tools", TryOpenai::chatTools);
    steps.put("responses", TryOpenai::responses);
    steps.put("responses stream", TryOpenai::responsesStream);
    steps.put("responses tools", TryOpenai::responsesTools);
    Steps.run(steps);
  }

  private static ChatCompletionCreateParams.Builder chatParams(String model) {
    return ChatCompletionCreateParams.builder().model(model).addUserMessage("Hello");
  }

  private static Steps.Answer shown(ChatCompletion completion) {
    return new Steps.Answer(completion.choices().get(0).message().content().orElse(""), completion.id());
  }

  private static Steps.Answer chat(String model) {
    return shown(CLIENT.chat().completions().create(chatParams(model).build()));
  }

  private static Steps.Answer chatStream(String model) {
    var whole = ChatCompletionAccumulator.create();
    try (var stream = CLIENT.chat().completions().createStreaming(chatParams(model).build())) {
      stream.stream().forEach(whole::accumulate);
    }
    return shown(whole.chatCompletion());
  }

  private static Steps.Answer chatTools(String model) {
    var parameters =
        FunctionParameters.builder()
            .putAdditionalProperty("type", JsonValue.from("object"))
            .putAdditionalProperty("properties", JsonValue.from(Steps.CITY))
            .build();
    var function = FunctionDefinition.builder().name("get_weather").parameters(parameters).build();
    var params = chatParams(model).addFunctionTool(function);
    var called = CLIENT.chat().completions().create(params.build()).choices().get(0).message();
    params.addMessage(called);
    for (var call : called.toolCalls().orElse(List.of())) {
      var id = call.asFunction().id();
      params.addMessage(ChatCompletionToolMessageParam.builder().toolCallId(id).content("rain").build());
    }
    return shown(CLIENT.chat().completions().create(params.build()));
  }

  private static ResponseCreateParams.Builder responseParams(String model) {
    return ResponseCreateParams.builder().model(model).input("Hello");
  }

  private static Steps.Answer shown(Response response) {
    var text =
        response.output().stream()
            .flatMap(item -> item.message().stream())
            .flatMap(message -> message.content().stream())
            .flatMap(content -> content.outputText().stream())
            .map(part -> part.text())
            .collect(Collectors.joining());
    return new Steps.Answer(text, response.id());
  }

  private static Steps.Answer responses(String model) {
    return shown(CLIENT.responses().create(responseParams(model).build()));
  }

  private static Steps.Answer responsesStream(String model) {
    var whole = ResponseAccumulator.create();
    try (var stream = CLIENT.responses().createStreaming(responseParams(model).build())) {
      stream.stream().forEach(whole::accumulate);
    }
    return shown(whole.response());
  }

  private static Steps.Answer responsesTools(String model) {
    var parameters =
        FunctionTool.Parameters.builder()
            .putAdditionalProperty("type", JsonValue.from("object"))
            .putAdditionalProperty("properties", JsonValue.from(Steps.CITY))
            .build();
    var tool = FunctionTool.builder().name("get_weather").parameters(parameters).strict(false).build();
    var params = responseParams(model).addTool(tool);
    var first = CLIENT.responses().create(params.build());
    var results =
        first.output().stream()
            .flatMap(item -> item.functionCall().stream())
            .map(call -> ResponseInputItem.FunctionCallOutput.builder().callId(call.callId()).output("rain").build())
            .map(ResponseInputItem::ofFunctionCallOutput)
            .toList();
    params.inputOfResponse(results).previousResponseId(first.id());
    return shown(CLIENT.responses().create(params.build()));
  }
}
