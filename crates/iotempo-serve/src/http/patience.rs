//! Connections that are given up when their other end takes nothing.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// How long to wait at the end for what the other side still sends.
const LINGERING: Duration = Duration::from_secs(1);
/// Bytes that are thrown away then at the most.
const LEFTOVERS: usize = 1 << 20;

/// A stream whose writes fail when they have waited for too long.
#[derive(Debug)]
pub(super) struct Patient<S> {
    stream: S,
    patience: Duration,
    deadline: Pin<Box<Sleep>>,
    waits: bool,
    /// Bytes that may still be thrown away, once our side is closed.
    leftovers: Option<usize>,
}

impl<S: AsyncWrite + Unpin> Patient<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            deadline: Box::pin(sleep(patience)),
            waits: false,
            leftovers: None,
        }
    }

    /// Passes on what a write came to; one that has waited for too long has failed.
    fn judge<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits = false;
            return written;
        }
        if !self.waits {
            self.waits = true;
            self.deadline.as_mut().reset(Instant::now() + self.patience);
        }
        match self.deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Patient<S> {
    /// Reads what still comes, until the other side closes as well. Where something is left unread, the kernel
    /// resets the connection, and the last answer may never be seen: it is often a refusal.
    fn poll_linger(&mut self, context: &mut Context<'_>, mut left: usize) -> Poll<()> {
        let mut bytes = [0; 4096];
        while left > 0 && self.deadline.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    left = left.saturating_sub(buffer.filled().len());
                    self.leftovers = Some(left);
                }
                Poll::Ready(_) => break,
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let left = match self.leftovers {
            Some(left) => left,
            None => {
                ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
                self.deadline.as_mut().reset(Instant::now() + LINGERING);
                *self.leftovers.insert(LEFTOVERS)
            }
        };
        self.poll_linger(context, left).map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    fn wait<T>(future: impl Future<Output = T>) -> T {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().build().expect("a runtime");
        runtime.block_on(future)
    }

    #[test]
    fn who_takes_nothing_is_given_up() {
        let failure = wait(async {
            let (near, _far) = duplex(8);
            let mut near = Patient::new(near, Duration::from_millis(50));
            near.write_all(&[0; 100]).await
        });
        let failure = failure.expect_err("nobody reads");
        assert_eq!(failure.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn who_takes_a_little_now_and_then_is_not() {
        wait(async {
            let (near, mut far) = duplex(8);
            let mut near = Patient::new(near, Duration::from_secs(5));
            let slow = async {
                for _ in 0..10 {
                    sleep(Duration::from_millis(20)).await;
                    let mut few = [0; 10];
                    far.read_exact(&mut few).await.expect("bytes");
                }
            };
            let (written, ()) = tokio::join!(near.write_all(&[0; 100]), slow);
            written.expect("all is taken");
        });
    }

    #[test]
    fn what_comes_after_the_last_answer_is_read_for_a_while() {
        wait(async {
            let (near, mut far) = duplex(8);
            let mut near = Patient::new(near, Duration::from_secs(5));
            let talks = async {
                far.write_all(&[0; 100]).await.expect("somebody reads");
                drop(far);
            };
            let (closed, ()) = tokio::join!(near.shutdown(), talks);
            closed.expect("closed");
            let (near, _silent) = duplex(8);
            let began = Instant::now();
            let mut near = Patient::new(near, Duration::from_secs(5));
            near.shutdown().await.expect("closed");
            assert!(began.elapsed() < 2 * LINGERING);
        });
    }
}
