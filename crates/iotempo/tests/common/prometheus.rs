//! A real Prometheus, which scrapes what a test serves.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The server, where there is one.
pub(crate) fn program() -> Option<PathBuf> {
    let unpacked = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/debian/usr/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([unpacked]);
    let mut programs = folders.map(|folder| folder.join("prometheus"));
    programs.find(|program| program.is_file())
}

/// A server of our own, which ends with the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

impl Server {
    /// Scrapes a port of this machine, and keeps its data in a folder.
    pub(crate) fn new(program: &Path, folder: &Path, scraped: u16) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap().to_string();
        drop(free);
        let settings = format!(
            "global: {{scrape_interval: 250ms, scrape_timeout: 250ms}}\n\
             scrape_configs: [{{job_name: demo, static_configs: [{{targets: ['127.0.0.1:{scraped}']}}]}}]\n"
        );
        std::fs::write(folder.join("prometheus.yml"), settings).unwrap();
        let child = Command::new(program)
            .current_dir(folder)
            .args(["--config.file=prometheus.yml", "--storage.tsdb.path=data"])
            .arg("--storage.tsdb.retention.time=50y")
            .arg(format!("--web.listen-address={address}"))
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.join("server.log")).unwrap())
            .spawn()
            .unwrap();
        let url = format!("http://{address}");
        Self { child, url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
