//! Shared by the scripts of clients: runs their steps on a model of each kind of upstream, and prints a line of JSON each.

use futures::future::LocalBoxFuture;
use serde_json::{Value, json};
use std::error::Error;

const TEXT: &str = "Grüße 🌍";
/// Steps that are tried on models that fail too.
const PLAIN: [&str; 3] = ["chat", "responses", "messages"];
const FAILURES: [(&str, &str); 2] = [("error", "refused"), ("429", "limited")];
/// What upstreams say that fail.
const REASON: &str = "the oracle of Oslo";

/// The text of the last answer and its id.
pub type Answer = Result<(String, String), Box<dyn Error>>;
/// A step gets a model's name.
pub type Step<'a> = (&'a str, Box<dyn Fn(String) -> LocalBoxFuture<'a, Answer> + 'a>);

pub fn url() -> String {
    std::env::var("ATTUNE_URL").unwrap()
}

pub fn key() -> String {
    std::env::var("ATTUNE_KEY").unwrap()
}

pub fn parameters() -> Value {
    json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] })
}

pub async fn run(steps: Vec<Step<'_>>) {
    for kind in ["chat", "responses", "messages"] {
        let model = format!("attune/{kind}-model");
        for (name, act) in &steps {
            let seen = act(model.clone()).await;
            let (note, rated) = attempt(seen).await;
            print_line(&model, name, note, rated);
        }
        for (name, act) in steps.iter().filter(|(name, _)| PLAIN.contains(name)) {
            for (failure, way) in FAILURES {
                let note = fail(act(format!("attune/{kind}-{way}-model")).await);
                print_line(&model, &format!("{name} {failure}"), note, true);
            }
        }
    }
}

fn print_line(model: &str, step: &str, note: String, rated: bool) {
    // The suite looks for lines that begin with the model.
    let rest = json!({ "step": step, "held": note.is_empty(), "rated": rated, "note": note.replace('\n', " ") });
    println!("{{\"model\":{},{}", json!(model), &rest.to_string()[1..]);
}

async fn attempt(seen: Answer) -> (String, bool) {
    match seen {
        Err(error) => (error.to_string(), false),
        Ok((text, _)) if !text.contains(TEXT) => (format!("the text is {text:?}"), false),
        Ok((_, id)) => match rate(&id).await {
            Ok(result) if result[0]["error"].is_null() => (String::new(), true),
            refused => (format!("no feedback by the id {id}: {refused:?}"), false),
        },
    }
}

/// A call has to fail, with the upstream's reason.
fn fail(seen: Answer) -> String {
    match seen {
        Ok((text, _)) => format!("it did not fail: {text:?}"),
        Err(error) if error.to_string().contains(REASON) => String::new(),
        Err(error) => format!("the reason is not in {error}"),
    }
}

async fn rate(id: &str) -> reqwest::Result<Value> {
    let body = json!([{ "id": id, "feedback": { "helpful": true } }]);
    let request = reqwest::Client::new().post(format!("{}/v1/feedback", url())).bearer_auth(key()).json(&body);
    request.send().await?.json().await
}
