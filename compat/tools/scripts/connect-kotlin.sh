#!/usr/bin/env bash
# connect-kotlin 0.7.4, kotlin 2.1.21, protobuf-java 4.31.1
git -C "$ATTUNE_ROOT" archive HEAD proto | tar x
mkdir -p src/main/kotlin plugin
curl -sSf -o plugin/plugin.jar https://repo1.maven.org/maven2/com/connectrpc/protoc-gen-connect-kotlin/0.7.4/protoc-gen-connect-kotlin-0.7.4.jar
printf '#!/bin/sh\nexec java -jar "%s/plugin/plugin.jar"\n' "$PWD" > plugin/protoc-gen-connect-kotlin
chmod +x plugin/protoc-gen-connect-kotlin
cat > pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId><artifactId>call</artifactId><version>1</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.compiler.release>17</maven.compiler.release><kotlin.compiler.jvmTarget>17</kotlin.compiler.jvmTarget>
  </properties>
  <dependencies>
    <dependency><groupId>com.connectrpc</groupId><artifactId>connect-kotlin-okhttp</artifactId><version>0.7.4</version></dependency>
    <dependency><groupId>com.connectrpc</groupId><artifactId>connect-kotlin-google-java-ext</artifactId><version>0.7.4</version></dependency>
    <dependency><groupId>com.google.protobuf</groupId><artifactId>protobuf-java</artifactId><version>4.31.1</version></dependency>
    <dependency><groupId>com.google.api.grpc</groupId><artifactId>proto-google-common-protos</artifactId><version>2.59.2</version></dependency>
    <dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-stdlib</artifactId><version>2.1.21</version></dependency>
  </dependencies>
  <build>
    <sourceDirectory>src/main/kotlin</sourceDirectory>
    <extensions><extension><groupId>kr.motd.maven</groupId><artifactId>os-maven-plugin</artifactId><version>1.7.1</version></extension></extensions>
    <plugins>
      <plugin>
        <groupId>org.xolstice.maven.plugins</groupId><artifactId>protobuf-maven-plugin</artifactId><version>0.6.1</version>
        <configuration>
          <protoSourceRoot>${project.basedir}/proto</protoSourceRoot>
          <includes><include>attune/**</include><include>buf/**</include></includes>
          <protocArtifact>com.google.protobuf:protoc:4.31.1:exe:${os.detected.classifier}</protocArtifact>
          <pluginId>connect-kotlin</pluginId><pluginExecutable>${project.basedir}/plugin/protoc-gen-connect-kotlin</pluginExecutable>
        </configuration>
        <executions><execution><goals><goal>compile</goal><goal>compile-custom</goal></goals></execution></executions>
      </plugin>
      <plugin>
        <groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-plugin</artifactId><version>2.1.21</version>
        <configuration><sourceDirs><sourceDir>src/main/kotlin</sourceDir><sourceDir>target/generated-sources/protobuf/connect-kotlin</sourceDir><sourceDir>target/generated-sources/protobuf/java</sourceDir></sourceDirs></configuration>
        <executions><execution><id>compile</id><phase>process-sources</phase><goals><goal>compile</goal></goals></execution></executions>
      </plugin>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
      <plugin>
        <groupId>org.codehaus.mojo</groupId><artifactId>exec-maven-plugin</artifactId><version>3.6.4</version>
        <configuration><mainClass>MainKt</mainClass></configuration>
      </plugin>
    </plugins>
  </build>
</project>
XML
cat > src/main/kotlin/Main.kt <<'KT'
import com.attune.content.v1.*
import com.attune.error.v1.*
import com.attune.feedback.v1.*
import com.attune.inference.v1.*
import com.attune.model.v1.*
import com.connectrpc.*
import com.connectrpc.extensions.*
import com.connectrpc.impl.ProtocolClient
import com.connectrpc.okhttp.ConnectOkHttpClient
import com.connectrpc.protocols.NetworkProtocol
import kotlinx.coroutines.runBlocking
import kotlin.system.exitProcess

fun check(step: String, held: Boolean, seen: Any?) =
  println(if (held) "held $step" else "failed $step: ${seen.toString().replace("\n", " ").take(200)}")

fun ask(model: String): InferenceInput {
  val block = ContentBlock.newBuilder().setText(TextBlock.newBuilder().setText("hi"))
  val message = Message.newBuilder().setRole(Role.ROLE_USER).addContent(block)
  return InferenceInput.newBuilder().setModel(model).addMessages(message).build()
}

fun <T> of(response: ResponseMessage<T>): T? = (response as? ResponseMessage.Success)?.message

fun main(): Unit = runBlocking {
  val headers = mapOf("authorization" to listOf("Bearer " + System.getenv("ATTUNE_KEY")))
  val generate = { model: String -> GenerateRequest.newBuilder().setInput(ask(model)).build() }
  for (protocol in listOf(NetworkProtocol.CONNECT, NetworkProtocol.GRPC_WEB)) {
    for (strategy in listOf(GoogleJavaProtobufStrategy(), GoogleJavaJSONStrategy())) {
      val name = "$protocol ${if (strategy is GoogleJavaJSONStrategy) "JSON" else "binary"}".lowercase().replace("_", "-")
      val config = ProtocolClientConfig(host = System.getenv("ATTUNE_URL"), serializationStrategy = strategy, networkProtocol = protocol)
      val client = ProtocolClient(httpClient = ConnectOkHttpClient(), config = config)
      val inference = InferenceServiceClient(client)
      val models = ModelServiceClient(client).listModels(ListModelsRequest.getDefaultInstance(), headers)
      check("$name lists", (of(models)?.modelsCount ?: 0) > 0, models)
      val answered = inference.generate(generate("attune/chat-model"), headers)
      val answer = of(answered)
      check("$name calls", answer != null && answer.contentCount > 0 && answer.hasFinished(), answered)
      val stream = inference.streamGenerate(headers)
      stream.sendAndClose(StreamGenerateRequest.newBuilder().setInput(ask("attune/messages-model")).build())
      var last: GenerateEvent? = null
      for (response in stream.responseChannel()) for (event in response.eventsList) last = event
      check("$name streams to its end", last?.hasFinished() == true, last)
      val failed = inference.generate(generate("none"), headers)
      val cause = (failed as? ResponseMessage.Failure)?.cause
      val detail = cause?.unpackedDetails(ErrorDetail::class)?.firstOrNull()
      check("$name reads an error with its detail", detail?.reason == ErrorReason.ERROR_REASON_MODEL_NOT_FOUND, cause ?: failed)
      val metric = CreateMetricRequest.newBuilder().setInferenceId(answer?.id ?: "").setName("helpful").setBoolean(true).build()
      val stored = FeedbackServiceClient(client).createMetric(metric, headers)
      check("$name sends feedback", of(stored)?.id?.length == 36, stored)
    }
  }
  exitProcess(0)
}
KT
mvn -q -B -Dstyle.color=never compile >build.log 2>&1 && echo "held generates and compiles" || { grep -E "ERROR|error" build.log | head -20; exit 1; }
mvn -q -B -Dstyle.color=never exec:java 2>error.log | sed 's/\x1b\[[0-9;]*m//g'
