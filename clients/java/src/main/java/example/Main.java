package example;

import com.attune.content.v1.ContentBlock;
import com.attune.content.v1.Message;
import com.attune.content.v1.Role;
import com.attune.content.v1.TextBlock;
import com.attune.feedback.v1.CreateMetricRequest;
import com.attune.feedback.v1.FeedbackServiceGrpc;
import com.attune.inference.v1.GenerateRequest;
import com.attune.inference.v1.GenerateResponse;
import com.attune.inference.v1.InferenceInput;
import com.attune.inference.v1.InferenceServiceGrpc;
import com.attune.inference.v1.StreamGenerateRequest;
import com.attune.inference.v1.StreamGenerateResponse;
import com.attune.model.v1.ListModelsRequest;
import com.attune.model.v1.ListModelsResponse;
import com.attune.model.v1.Model;
import com.attune.model.v1.ModelServiceGrpc;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Lists models, generates, cancels a stream, and sends feedback, over gRPC. */
public final class Main {
  private static final long TIMEOUT_SECONDS = 30;

  public static void main(String[] arguments) throws InterruptedException {
    ManagedChannel channel = connect(URI.create(variable("ATTUNE_URL", "http://127.0.0.1:8080")));
    try {
      run(channel);
    } finally {
      channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    }
  }

  private static void run(ManagedChannel channel) {
    Metadata headers = new Metadata();
    Metadata.Key<String> authorization = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    headers.put(authorization, "Bearer " + variable("ATTUNE_KEY", ""));
    var withKey = MetadataUtils.newAttachHeadersInterceptor(headers);

    List<Model> models = listModels(ModelServiceGrpc.newBlockingStub(channel).withInterceptors(withKey));
    System.out.printf("models: %d, the first is %s%n", models.size(), models.get(0).getId());
    String model = variable("ATTUNE_MODEL", models.get(0).getId());

    var inference = InferenceServiceGrpc.newBlockingStub(channel).withInterceptors(withKey);
    GenerateResponse answer =
        inference
            .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .generate(GenerateRequest.newBuilder().setInput(ask(model, "Say hello.")).build());
    StringBuilder text = new StringBuilder();
    for (ContentBlock block : answer.getContentList()) text.append(block.getText().getText());
    int tokens = answer.getFinished().getUsage().getOutputTokens();
    System.out.printf("generate: %d tokens, %d characters%n", tokens, text.length());

    System.out.printf("stream: %s%n", cancelStream(inference, model));

    CreateMetricRequest metric =
        CreateMetricRequest.newBuilder()
            .setInferenceId(answer.getId())
            .setName("helpful")
            .setBoolean(true)
            .setReason("it said hello")
            .build();
    var feedback = FeedbackServiceGrpc.newBlockingStub(channel).withInterceptors(withKey);
    var stored = feedback.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS).createMetric(metric);
    System.out.printf("feedback: %s%n", stored.getId());
  }

  private static ManagedChannel connect(URI address) {
    boolean isSecure = address.getScheme().equals("https");
    var credentials = isSecure ? TlsChannelCredentials.create() : InsecureChannelCredentials.create();
    return Grpc.newChannelBuilder(address.getAuthority(), credentials).build();
  }

  private static List<Model> listModels(ModelServiceGrpc.ModelServiceBlockingStub stub) {
    List<Model> models = new ArrayList<>();
    String token = "";
    do {
      ListModelsRequest request = ListModelsRequest.newBuilder().setPageSize(2).setPageToken(token).build();
      ListModelsResponse page = stub.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS).listModels(request);
      models.addAll(page.getModelsList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    return models;
  }

  private static InferenceInput ask(String model, String text) {
    ContentBlock block = ContentBlock.newBuilder().setText(TextBlock.newBuilder().setText(text)).build();
    Message message = Message.newBuilder().setRole(Role.ROLE_USER).addContent(block).build();
    return InferenceInput.newBuilder().setModel(model).addMessages(message).setMaxOutputTokens(1000).build();
  }

  /** Reads a stream up to its first text, and leaves it. */
  private static String cancelStream(InferenceServiceGrpc.InferenceServiceBlockingStub stub, String model) {
    StreamGenerateRequest request =
        StreamGenerateRequest.newBuilder().setInput(ask(model, "Count to a hundred.")).build();
    try (Context.CancellableContext context = Context.current().withCancellation()) {
      return context.wrap(() -> readUntilText(stub, request, context)).call();
    } catch (StatusRuntimeException error) {
      if (error.getStatus().getCode() != Status.Code.CANCELLED) throw error;
      return "canceled";
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  private static String readUntilText(
      InferenceServiceGrpc.InferenceServiceBlockingStub stub,
      StreamGenerateRequest request,
      Context.CancellableContext context) {
    Iterator<StreamGenerateResponse> responses =
        stub.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS).streamGenerate(request);
    while (responses.hasNext()) {
      boolean hasText =
          responses.next().getEventsList().stream().anyMatch(event -> event.getBlockDelta().hasText());
      if (hasText) context.cancel(null);
    }
    return "ended";
  }

  private static String variable(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }
}
