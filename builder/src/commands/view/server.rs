//! The server of a page: it listens on this machine only, and each page has a session of its own.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use report::Report;
use serde_json::json;
use tokio::net::TcpListener;

use super::controls::given;
use super::request::{Content, Header, Kind, Refusal};
use super::session::{Launch, Session};
use fmus::error::{Error, of_system};
use fmus::model_description::ModelDescription;
use simulation::run::Advance;

/// Maximum number of sessions; each is a process.
const MOST_SESSIONS: usize = 16;

/// A session whose page asks for nothing during this time ends.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// How often sessions are looked at.
const LOOK: Duration = Duration::from_secs(10);

/// Maximum time of the header of a request, for which a connection may wait, and of its content.
const SLOWEST_REQUEST: Duration = Duration::from_secs(30);

/// Maximum length of a request in bytes.
const LONGEST_REQUEST: usize = 1 << 20;

/// What a server shows.
pub struct View {
    /// The description of the FMU.
    pub description: ModelDescription,
    /// The page without its token.
    pub report: Report,
    /// How sessions start.
    pub launch: Launch,
}

/// The sessions by their numbers, with the times at which they were last used.
#[derive(Default)]
struct Sessions {
    last: u64,
    open: BTreeMap<u64, (Arc<Session>, Instant)>,
    /// How many are about to start.
    starting: usize,
}

/// The place of a session that is about to start, among all sessions. Dropping this value frees the
/// place.
struct Place(Arc<Server>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.sessions().starting -= 1;
    }
}

/// A session that has started. It ends with this value if nobody waits for it any more.
struct Started {
    session: Session,
    /// The first rows.
    answer: String,
    _place: Place,
}

struct Server {
    view: View,
    page: String,
    token: String,
    port: u16,
    sessions: Mutex<Sessions>,
}

/// Serves a page until the process ends. `announce` receives the address as soon as the server
/// listens; the system chooses a port if none is given.
///
/// # Errors
/// If the server cannot listen, or its address cannot be announced.
pub fn serve<E: From<Error>>(
    mut view: View,
    port: Option<u16>,
    announce: impl FnOnce(&str) -> Result<(), E>,
) -> Result<Infallible, E> {
    let failed = |what: &str, error: std::io::Error| {
        Error::Request(format!("{what}: {}", of_system(&error)))
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| failed("no server can be started", error))?;
    runtime.block_on(async {
        let wanted = port.unwrap_or(0);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted))
            .await
            .map_err(|error| failed(&format!("cannot listen on 127.0.0.1:{wanted}"), error))?;
        let port = listener.local_addr().map_or(wanted, |address| address.port());
        let token = token()?;
        if let Some(live) = &mut view.report.live {
            live.token = token.clone();
        }
        let (page, sessions) = (view.report.html(), Mutex::default());
        let server = Arc::new(Server { view, page, token, port, sessions });
        announce(&format!("http://127.0.0.1:{port}/"))?;
        tokio::spawn(Arc::clone(&server).end_idle());
        loop {
            // A connection that fails before it is accepted is the client's problem.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let server = Arc::clone(&server);
            let service = service_fn(move |request| Arc::clone(&server).answer(request));
            let connection =
                protocol(SLOWEST_REQUEST).serve_connection(TokioIo::new(stream), service);
            tokio::spawn(connection);
        }
    })
}

/// How connections are served; one without the header of a request for a time ends.
fn protocol(patience: Duration) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience);
    builder
}

/// A random text, which only pages of this server know.
fn token() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::Request(format!("the system has no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Server {
    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends sessions that nobody uses, again and again.
    async fn end_idle(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK).await;
            self.sessions().open.retain(|_, (_, used)| used.elapsed() < IDLE);
        }
    }

    /// Answers a request; a refusal is an answer too.
    async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> Result<Response<Full<Bytes>>, Infallible> {
        Ok(match self.accepted(request).await {
            Ok((kind, text)) => response(StatusCode::OK, kind, text),
            Err(Refusal { status, sentence, variable }) => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
                let text = json!({ "error": sentence, "variable": variable }).to_string();
                response(status, Kind::Advance, text)
            }
        })
    }

    async fn accepted(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> Result<(Kind, String), Refusal> {
        let text = |name: HeaderName| request.headers().get(name).and_then(|v| v.to_str().ok());
        // A header that is not a text counts as `?`, which is never accepted.
        let named = |name: HeaderName| {
            request.headers().contains_key(&name).then(|| text(name).unwrap_or("?"))
        };
        let header = Header {
            method: request.method().as_str(),
            path: request.uri().path(),
            host: named(header::HOST),
            hosts: request.headers().get_all(header::HOST).iter().count(),
            origin: named(header::ORIGIN),
            content_type: named(header::CONTENT_TYPE),
        };
        let kind = header.kind(self.port)?;
        if kind == Kind::Page {
            return Ok((kind, self.page.clone()));
        }
        let body = Limited::new(request.into_body(), LONGEST_REQUEST).collect();
        let seconds = SLOWEST_REQUEST.as_secs();
        let late = |_| Refusal::new(408, format!("the request took more than {seconds} s"));
        let bytes = tokio::time::timeout(SLOWEST_REQUEST, body)
            .await
            .map_err(late)?
            .map_err(|_| {
                let limit = LONGEST_REQUEST >> 20;
                Refusal::new(413, format!("the request has more than {limit} MB, or is incomplete"))
            })?
            .to_bytes();
        let content = Content::read(&bytes, &self.token)?;
        // If the page closes its connection, what follows an `await` is not done any more.
        let answer = match kind {
            Kind::Start => {
                let server = Arc::clone(&self);
                self.open(blocking(move || server.start(&content)).await?)
            }
            Kind::Advance => blocking(move || self.advance(&content)).await?,
            Kind::Page | Kind::End => {
                blocking(move || {
                    content.session.into_iter().for_each(|number| self.end(number));
                    Ok("{}".to_owned())
                })
                .await?
            }
        };
        Ok((kind, answer))
    }

    /// Gives a session that has started its number; the answer is JSON.
    fn open(&self, Started { session, answer, _place }: Started) -> String {
        let mut sessions = self.sessions();
        sessions.last += 1;
        let number = sessions.last;
        sessions.open.insert(number, (Arc::new(session), Instant::now()));
        // Before the place becomes free, which concerns the sessions too.
        drop(sessions);
        format!("{{\"session\":{number},\"chunk\":{answer}}}")
    }

    fn end(&self, number: u64) {
        let ended = self.sessions().open.remove(&number);
        if let Some((session, _)) = ended {
            session.end();
        }
    }

    /// Starts a session, which replaces the one that the page had.
    fn start(self: Arc<Self>, content: &Content) -> Result<Started, Refusal> {
        let given_here = content.set(&self.view.description, false)?;
        if let Some(number) = content.session {
            self.end(number);
        }
        let place = Arc::clone(&self).place()?;
        let is_kept = |text: &&String| {
            let text = std::slice::from_ref(*text);
            !content.values.keys().any(|name| given(name, text).is_some())
        };
        let mut launch = self.view.launch.clone();
        launch.set = launch.set.iter().filter(is_kept).cloned().chain(given_here).collect();
        let (session, answer) =
            Session::start(&launch).map_err(|e| Refusal::new(500, e.to_string()))?;
        Ok(Started { session, answer, _place: place })
    }

    /// Takes a place among the sessions.
    fn place(self: Arc<Self>) -> Result<Place, Refusal> {
        let mut sessions = self.sessions();
        if sessions.open.len() + sessions.starting >= MOST_SESSIONS {
            let sentence = format!("{MOST_SESSIONS} pages are open already: close one of them");
            return Err(Refusal::new(503, sentence));
        }
        sessions.starting += 1;
        drop(sessions);
        Ok(Place(self))
    }

    fn advance(&self, content: &Content) -> Result<String, Refusal> {
        let start = self.view.report.live.as_ref().map_or(0.0, |live| live.start);
        let until = content.until.unwrap_or(start);
        if !until.is_finite() {
            return Err(Refusal::new(422, format!("until = {until} s is not a time")));
        }
        let set = content.set(&self.view.description, true)?;
        let number = content.session.unwrap_or_default();
        let session = self.sessions().open.get_mut(&number).map(|(session, used)| {
            *used = Instant::now();
            Arc::clone(session)
        });
        let session = session.ok_or_else(|| {
            let sentence = "this simulation has ended, because its page did nothing for a long \
                            time or was closed; a restart begins anew";
            Refusal::new(410, sentence)
        })?;
        let answer = session.advance(&Advance { until, set });
        Ok(format!("{{\"session\":{number},\"chunk\":{answer}}}"))
    }
}

/// Does work that may take its time, as an FMU does.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let lost = |_| Refusal::new(500, "the request was not completed");
    tokio::task::spawn_blocking(work).await.map_err(lost)?
}

fn response(status: StatusCode, kind: Kind, text: String) -> Response<Full<Bytes>> {
    let media = if kind == Kind::Page { "text/html; charset=utf-8" } else { "application/json" };
    let headers = [
        (header::CONTENT_TYPE, media),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // No other page may show this one in a frame, where a click means something else.
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    ];
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    for (name, value) in headers {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn a_connection_whose_request_does_not_come_ends() {
        for sent in ["", "POST /start HTTP/1.1\r\nHost: 127.0.0.1"] {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
                let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
                client.write_all(sent.as_bytes()).unwrap();
                let (stream, _) = listener.accept().await.unwrap();
                let service = service_fn(|_| async {
                    Ok::<_, Infallible>(Response::new(Full::new(Bytes::from("an answer"))))
                });
                let served = protocol(Duration::from_millis(50))
                    .serve_connection(TokioIo::new(stream), service);
                let ended = tokio::time::timeout(Duration::from_secs(20), served).await;
                assert!(ended.is_ok(), "{sent}");
                client.read_to_end(&mut Vec::new()).unwrap();
            });
        }
    }
}
