import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

final class TryLangchain4j {
  private static final String URL = Steps.URL + "/v1";

  private static final ToolSpecification WEATHER =
      ToolSpecification.builder()
          .name("get_weather")
          .parameters(JsonObjectSchema.builder().addStringProperty("city").build())
          .build();

  public static void main(String[] args) throws Exception {
    var steps = new LinkedHashMap<String, Steps.Act>();
    add(
        steps,
        "chat",
        model -> OpenAiChatModel.builder().baseUrl(URL).apiKey(Steps.KEY).maxRetries(0).modelName(model).build(),
        model -> OpenAiStreamingChatModel.builder().baseUrl(URL).apiKey(Steps.KEY).modelName(model).build());
    add(
        steps,
        "messages",
        model -> AnthropicChatModel.builder().baseUrl(URL).apiKey(Steps.KEY).maxRetries(0).modelName(model).build(),
        model -> AnthropicStreamingChatModel.builder().baseUrl(URL).apiKey(Steps.KEY).modelName(model).build());
    Steps.run(steps);
  }

  private static void add(
      LinkedHashMap<String, Steps.Act> steps,
      String format,
      Function<String, ChatModel> modelOf,
      Function<String, StreamingChatModel> streamingOf) {
    steps.put(format, model -> shown(modelOf.apply(model).chat(UserMessage.from("Hello"))));
    steps.put(format + " stream", model -> shown(stream(streamingOf.apply(model))));
    steps.put(format + " tools", model -> shown(callTools(modelOf.apply(model))));
  }

  private static ChatResponse stream(StreamingChatModel model) throws Exception {
    var whole = new CompletableFuture<ChatResponse>();
    model.chat(
        "Hello",
        new StreamingChatResponseHandler() {
          @Override
          public void onPartialResponse(String text) {}

          @Override
          public void onCompleteResponse(ChatResponse response) {
            whole.complete(response);
          }

          @Override
          public void onError(Throwable thrown) {
            whole.completeExceptionally(thrown);
          }
        });
    return whole.get();
  }

  private static ChatResponse callTools(ChatModel model) {
    List<ChatMessage> messages = new ArrayList<>(List.of(UserMessage.from("Hello")));
    var called = model.chat(ChatRequest.builder().messages(messages).toolSpecifications(WEATHER).build()).aiMessage();
    messages.add(called);
    for (var call : called.toolExecutionRequests()) messages.add(ToolExecutionResultMessage.from(call, "rain"));
    return model.chat(ChatRequest.builder().messages(messages).toolSpecifications(WEATHER).build());
  }

  private static Steps.Answer shown(ChatResponse response) {
    return new Steps.Answer(response.aiMessage().text(), response.id());
  }
}
