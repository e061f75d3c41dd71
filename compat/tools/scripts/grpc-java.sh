#!/usr/bin/env bash
# grpc-java 1.83.0, protobuf-java 4.36.2
git -C "$ATTUNE_ROOT" archive HEAD clients/java/pom.xml proto | tar x
mkdir -p clients/java/src/main/java/example && cd clients/java
cat > src/main/java/example/Main.java <<'JAVA'
package example;

import com.attune.content.v1.*;
import com.attune.error.v1.*;
import com.attune.feedback.v1.*;
import com.attune.inference.v1.*;
import com.attune.model.v1.*;
import com.google.protobuf.Any;
import io.grpc.*;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.util.concurrent.TimeUnit;

public final class Main {
  static void check(String step, boolean held, Object seen) {
    System.out.println(held ? "held " + step : "failed " + step + ": " + String.valueOf(seen).replace("\n", " "));
  }

  static InferenceInput ask(String model) {
    var block = ContentBlock.newBuilder().setText(TextBlock.newBuilder().setText("hi"));
    var message = Message.newBuilder().setRole(Role.ROLE_USER).addContent(block);
    return InferenceInput.newBuilder().setModel(model).addMessages(message).build();
  }

  static GenerateRequest generate(String model) {
    return GenerateRequest.newBuilder().setInput(ask(model)).build();
  }

  public static void main(String[] arguments) throws Exception {
    String address = URI.create(System.getenv("ATTUNE_URL")).getAuthority();
    ManagedChannel channel = Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + System.getenv("ATTUNE_KEY"));
    var withKey = MetadataUtils.newAttachHeadersInterceptor(headers);

    var models = ModelServiceGrpc.newBlockingStub(channel).withInterceptors(withKey).listModels(ListModelsRequest.getDefaultInstance());
    check("lists", models.getModelsCount() > 0, models);
    var client = InferenceServiceGrpc.newBlockingStub(channel).withInterceptors(withKey);
    var answer = client.generate(generate("attune/chat-model"));
    check("call", answer.getContentCount() > 0 && answer.hasFinished(), answer);
    GenerateEvent last = null;
    var responses = client.streamGenerate(StreamGenerateRequest.newBuilder().setInput(ask("attune/messages-model")).build());
    while (responses.hasNext()) for (GenerateEvent event : responses.next().getEventsList()) last = event;
    check("stream to its end", last != null && last.hasFinished(), last);
    var zipped = client.withCompression("gzip").generate(generate("attune/responses-model"));
    check("gzip both ways", zipped.getContentCount() > 0, zipped);
    try {
      check("error with its detail", false, client.generate(generate("none")));
    } catch (StatusRuntimeException error) {
      ErrorDetail detail = null;
      for (Any any : StatusProto.fromThrowable(error).getDetailsList()) if (any.is(ErrorDetail.class)) detail = any.unpack(ErrorDetail.class);
      check("error with its detail", detail != null && detail.getReason() == ErrorReason.ERROR_REASON_MODEL_NOT_FOUND, error);
    }
    try {
      check("deadline", false, client.withDeadlineAfter(1, TimeUnit.MICROSECONDS).generate(generate("attune/chat-model")));
    } catch (StatusRuntimeException error) {
      check("deadline", error.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED, error);
    }
    var metric = CreateMetricRequest.newBuilder().setInferenceId(answer.getId()).setName("helpful").setBoolean(true).build();
    var stored = FeedbackServiceGrpc.newBlockingStub(channel).withInterceptors(withKey).createMetric(metric);
    check("feedback", stored.getId().length() == 36, stored);
    channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
  }
}
JAVA
mvn -q -B -Dstyle.color=never compile >build.log 2>&1 && echo "held generates and compiles" || { grep ERROR build.log | head -20; exit 1; }
mvn -q -B -Dstyle.color=never exec:java 2>error.log | sed 's/\x1b\[[0-9;]*m//g'
