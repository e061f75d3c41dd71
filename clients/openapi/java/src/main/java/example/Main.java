package example;

import attune.api.ChatApi;
import attune.api.FeedbackApi;
import attune.api.ModelsApi;
import attune.client.ApiClient;
import attune.client.ApiException;
import attune.client.JSON;
import attune.model.ChatCompletion;
import attune.model.ChatCompletionChunk;
import attune.model.ChatCompletionRequest;
import attune.model.ChatContent;
import attune.model.ChatMessage;
import attune.model.ChatUserMessage;
import attune.model.FeedbackEvent;
import attune.model.FeedbackResult;
import attune.model.FeedbackValue;
import attune.model.Model;
import attune.model.OpenAiError;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import okhttp3.Response;

/** Calls the HTTP API by a client that openapi-generator makes of docs/openapi.json. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws ApiException, IOException {
    ApiClient client = new ApiClient();
    client.setBasePath(Optional.ofNullable(System.getenv("ATTUNE_URL")).orElse("http://127.0.0.1:8080"));
    client.setBearerToken(System.getenv("ATTUNE_KEY"));

    List<Model> models = new ModelsApi(client).listModels(null, null, null, null).getData();
    System.out.printf("models: %d, the first is %s%n", models.size(), models.get(0).getId());
    String model = Optional.ofNullable(System.getenv("ATTUNE_MODEL")).orElse(models.get(0).getId());

    ChatApi chat = new ChatApi(client);
    ChatCompletion answer = generate(chat, buildRequest(model));
    String text = answer.getChoices().get(0).getMessage().getContent();
    System.out.printf(
        "generate: %d tokens, %d characters%n", answer.getUsage().getCompletionTokens(), text.length());

    System.out.printf("stream: %d chunks%n", stream(chat, buildRequest(model).stream(true)));

    FeedbackEvent event = new FeedbackEvent().id(answer.getId().toString()).feedback(buildFeedback());
    FeedbackResult result = new FeedbackApi(client).createFeedback(List.of(event), null).get(0);
    System.out.printf("feedback: %d values%n", result.getFeedbackIds().size());

    try {
      generate(chat, buildRequest("no-such-model"));
    } catch (ApiException failure) {
      OpenAiError error = OpenAiError.fromJson(failure.getResponseBody());
      System.out.printf("error: %s%n", error.getError().getCode());
    }
    client.getHttpClient().dispatcher().executorService().shutdown();
    client.getHttpClient().connectionPool().evictAll();
  }

  private static ChatCompletionRequest buildRequest(String model) {
    ChatUserMessage message =
        new ChatUserMessage().role(ChatUserMessage.RoleEnum.USER).content(new ChatContent("Say hello"));
    return new ChatCompletionRequest().model(model).messages(List.of(new ChatMessage(message)));
  }

  private static ChatCompletion generate(ChatApi chat, ChatCompletionRequest request) throws ApiException {
    return chat.createChatCompletion(request, null, null, null, null, null, null, null, null, null, null, null, null);
  }

  /** Reads server-sent events, which the call hands over as they come. */
  private static int stream(ChatApi chat, ChatCompletionRequest request) throws ApiException, IOException {
    int chunks = 0;
    okhttp3.Call call =
        chat.createChatCompletionCall(
            request, null, null, null, null, null, null, null, null, null, null, null, null, null);
    try (Response response = call.execute();
        BufferedReader lines = new BufferedReader(Objects.requireNonNull(response.body()).charStream())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("data: ") || line.equals("data: [DONE]")) {
          continue;
        }
        JSON.getGson().fromJson(line.substring("data: ".length()), ChatCompletionChunk.class);
        chunks += 1;
      }
    }
    return chunks;
  }

  /** Builds a boolean, a number, a text and null. The generated class writes no group: it leaves out maps of a oneOf. */
  private static Map<String, FeedbackValue> buildFeedback() {
    Map<String, FeedbackValue> feedback = new LinkedHashMap<>();
    feedback.put("helpful", new FeedbackValue(true));
    feedback.put("quality", new FeedbackValue(0.8));
    feedback.put("note", new FeedbackValue("to the point"));
    feedback.put("withdrawn", null);
    return feedback;
  }
}
