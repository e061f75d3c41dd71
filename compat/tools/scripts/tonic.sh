#!/usr/bin/env bash
# tonic 0.14.9, prost 0.14.6, protoc-bin-vendored 3.3.0
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "call"
version = "0.1.0"
edition = "2024"
[profile.dev]
debug = false
[dependencies]
prost = "=0.14.6"
prost-types = "=0.14.6"
tokio = { version = "1", features = ["macros", "rt"] }
tonic = { version = "=0.14.9", features = ["gzip"] }
tonic-prost = "=0.14.9"
[build-dependencies]
protoc-bin-vendored = "=3.3.0"
tonic-prost-build = "=0.14.9"
TOML
cat > build.rs <<'RS'
fn main() {
    let root = std::env::var("ATTUNE_ROOT").unwrap() + "/proto";
    let mut config = tonic_prost_build::Config::new();
    config.protoc_executable(protoc_bin_vendored::protoc_bin_path().unwrap());
    let rooms = ["inference", "model", "feedback", "error"];
    let files: Vec<_> = rooms.iter().map(|room| format!("{root}/attune/{room}/v1/{room}.proto")).collect();
    tonic_prost_build::configure()
        .build_server(false)
        .include_file("attune.rs")
        .compile_with_config(config, &files, &[root])
        .unwrap();
}
RS
cat > src/main.rs <<'RS'
use prost::Message as _;
use std::time::Duration;
use tonic::{Code, Request, codec::CompressionEncoding::Gzip, metadata::MetadataValue, transport::Channel};

mod proto {
    tonic::include_proto!("attune");
}
use proto::attune::{content::v1 as content, error::v1 as error, feedback::v1 as feedback};
use proto::attune::{inference::v1 as inference, model::v1 as model};

#[derive(Clone, PartialEq, prost::Message)]
struct Status {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<prost_types::Any>,
}

fn check(step: &str, held: bool, seen: impl std::fmt::Debug) {
    let text = format!("{seen:?}");
    if held { println!("held {step}") } else { println!("failed {step}: {}", &text[..text.len().min(160)]) }
}

fn ask(model: &str) -> Option<inference::InferenceInput> {
    let text = content::TextBlock { text: "hi".into(), ..Default::default() };
    let block = content::ContentBlock { kind: Some(content::content_block::Kind::Text(text)), ..Default::default() };
    let message = content::Message { role: content::Role::User as i32, content: vec![block], ..Default::default() };
    Some(inference::InferenceInput { model: model.into(), messages: vec![message], ..Default::default() })
}

fn generate(model: &str) -> inference::GenerateRequest {
    inference::GenerateRequest { input: ask(model), ..Default::default() }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let variable = |name| std::env::var(name).unwrap();
    let channel = Channel::from_shared(variable("ATTUNE_URL")).unwrap().connect().await.unwrap();
    let key: MetadataValue<_> = format!("Bearer {}", variable("ATTUNE_KEY")).parse().unwrap();
    let with_key = move |mut request: Request<()>| {
        request.metadata_mut().insert("authorization", key.clone());
        Ok(request)
    };

    let mut models = model::model_service_client::ModelServiceClient::with_interceptor(channel.clone(), with_key.clone());
    let listed = models.list_models(model::ListModelsRequest::default()).await.unwrap().into_inner();
    check("lists", !listed.models.is_empty(), &listed);

    let mut client = inference::inference_service_client::InferenceServiceClient::with_interceptor(channel.clone(), with_key.clone());
    let answer = client.generate(generate("attune/chat-model")).await.unwrap().into_inner();
    check("call", !answer.content.is_empty() && answer.finished.is_some(), &answer);

    let request = inference::StreamGenerateRequest { input: ask("attune/messages-model"), ..Default::default() };
    let mut stream = client.stream_generate(request).await.unwrap().into_inner();
    let mut last = None;
    while let Some(batch) = stream.message().await.unwrap() {
        last = batch.events.into_iter().last().or(last);
    }
    let is_whole = matches!(&last, Some(event) if matches!(event.event, Some(inference::generate_event::Event::Finished(_))));
    check("stream to its end", is_whole, &last);

    let mut zipped = client.clone().send_compressed(Gzip).accept_compressed(Gzip);
    let answer_zipped = zipped.generate(generate("attune/responses-model")).await.map(|answer| answer.into_inner());
    check("gzip both ways", answer_zipped.as_ref().is_ok_and(|answer| !answer.content.is_empty()), &answer_zipped);

    let refused = client.generate(generate("none")).await.unwrap_err();
    let status = Status::decode(refused.details()).unwrap();
    let detail = status.details.iter().find(|any| any.type_url.ends_with("attune.error.v1.ErrorDetail"));
    let detail = detail.map(|any| error::ErrorDetail::decode(&*any.value).unwrap());
    check("error with its detail", refused.code() == Code::NotFound && detail.is_some_and(|detail| detail.reason != 0), &refused);

    let mut late = Request::new(generate("attune/chat-model"));
    late.set_timeout(Duration::from_nanos(1000));
    let late = client.generate(late).await.unwrap_err();
    check("deadline", matches!(late.code(), Code::DeadlineExceeded | Code::Cancelled), &late);

    let mut service = feedback::feedback_service_client::FeedbackServiceClient::with_interceptor(channel, with_key);
    let metric = feedback::CreateMetricRequest {
        name: "helpful".into(),
        value: Some(feedback::create_metric_request::Value::Boolean(true)),
        inference_id: answer.id,
        ..Default::default()
    };
    let stored = service.create_metric(metric).await.map(|stored| stored.into_inner());
    check("feedback", stored.as_ref().is_ok_and(|stored| stored.id.len() == 36), &stored);
}
RS
cargo build --quiet 2>build.log || { grep -A8 '^error' build.log | head -60; exit 1; }
echo "held generates and compiles"
target/debug/call
