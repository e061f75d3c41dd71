use async_openai::types::chat::{CreateChatCompletionRequest, CreateChatCompletionResponse};
use async_openai::types::responses::{CreateResponse, OutputItem, Response, ResponseStreamEvent};
use async_openai::{Client, config::OpenAIConfig};
use client::{Answer, Step, key, parameters, run, url};
use futures::{FutureExt, StreamExt};
use serde_json::{Value, from_value, json};

type Openai = Client<OpenAIConfig>;

fn shown_chat(answer: CreateChatCompletionResponse) -> Answer {
    Ok((answer.choices[0].message.content.clone().unwrap_or_default(), answer.id))
}

fn shown(response: Response) -> Answer {
    Ok((response.output_text().unwrap_or_default(), response.id))
}

async fn chat(client: &Openai, model: String) -> Answer {
    let request: CreateChatCompletionRequest = from_value(asked_chat(&model))?;
    shown_chat(client.chat().create(request).await?)
}

fn asked_chat(model: &str) -> Value {
    json!({ "model": model, "messages": [{ "role": "user", "content": "Hello" }] })
}

async fn chat_stream(client: &Openai, model: String) -> Answer {
    let request: CreateChatCompletionRequest = from_value(asked_chat(&model))?;
    let mut stream = client.chat().create_stream(request).await?;
    let (mut text, mut id) = (String::new(), String::new());
    while let Some(chunk) = stream.next().await {
        let chunk = chunk?;
        text.extend(chunk.choices.into_iter().filter_map(|choice| choice.delta.content));
        id = chunk.id;
    }
    Ok((text, id))
}

async fn chat_tools(client: &Openai, model: String) -> Answer {
    let mut asked = asked_chat(&model);
    asked["tools"] = json!([{ "type": "function", "function": { "name": "get_weather", "parameters": parameters() } }]);
    let first = client.chat().create(from_value::<CreateChatCompletionRequest>(asked.clone())?).await?;
    let calls = first.choices[0].message.tool_calls.clone().unwrap_or_default();
    let said = asked["messages"].as_array_mut().unwrap();
    said.push(json!({ "role": "assistant", "tool_calls": calls }));
    for call in serde_json::to_value(&calls)?.as_array().unwrap() {
        said.push(json!({ "role": "tool", "tool_call_id": call["id"], "content": "rain" }));
    }
    shown_chat(client.chat().create(from_value::<CreateChatCompletionRequest>(asked)?).await?)
}

fn asked(model: &str) -> Value {
    json!({ "model": model, "input": "Hello" })
}

async fn responses(client: &Openai, model: String) -> Answer {
    shown(client.responses().create(from_value::<CreateResponse>(asked(&model))?).await?)
}

async fn responses_stream(client: &Openai, model: String) -> Answer {
    let mut stream = client.responses().create_stream(from_value::<CreateResponse>(asked(&model))?).await?;
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            ResponseStreamEvent::ResponseOutputTextDelta(event) => text += &event.delta,
            ResponseStreamEvent::ResponseCompleted(event) => return Ok((text, event.response.id)),
            _ => {}
        }
    }
    Err("the stream ended without its response".into())
}

async fn responses_tools(client: &Openai, model: String) -> Answer {
    let mut asked = asked(&model);
    asked["tools"] =
        json!([{ "type": "function", "name": "get_weather", "parameters": parameters(), "strict": false }]);
    let first = client.responses().create(from_value::<CreateResponse>(asked.clone())?).await?;
    asked["previous_response_id"] = json!(first.id);
    asked["input"] = Value::Array(first.output.iter().filter_map(result_of).collect());
    shown(client.responses().create(from_value::<CreateResponse>(asked)?).await?)
}

fn result_of(item: &OutputItem) -> Option<Value> {
    let OutputItem::FunctionCall(call) = item else { return None };
    Some(json!({ "type": "function_call_output", "call_id": call.call_id, "output": "rain" }))
}

/// Its own retries go on for minutes at 429, and a client of reqwest alone has none.
fn openai() -> Openai {
    let config = OpenAIConfig::new().with_api_key(key()).with_api_base(format!("{}/v1", url()));
    Client::with_config(config)
}

macro_rules! step {
    ($name:literal, $act:ident, $client:ident) => {
        ($name, Box::new(|model| $act($client, model).boxed_local()) as Box<_>)
    };
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let client = &openai();
    let steps: Vec<Step> = vec![
        step!("chat", chat, client),
        step!("chat stream", chat_stream, client),
        step!("chat tools", chat_tools, client),
        step!("responses", responses, client),
        step!("responses stream", responses_stream, client),
        step!("responses tools", responses_tools, client),
    ];
    run(steps).await;
}
