"""A private nginx on a free loopback port that serves one folder of pages; gone when the bench ends."""

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from .children import die_with_parent

INSTALL = "apt-get install nginx-light"
START_ATTEMPTS = 5  # another program may take the free port before nginx does
READY_SECONDS = 10.0

CONFIGURATION = """\
{user}daemon off;
worker_processes 1;
pid {prefix}/nginx.pid;
error_log {prefix}/error.log warn;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  gzip off;
  etag on;
  keepalive_timeout 600s;
  keepalive_requests 100000000;
  open_file_cache max=10000 inactive=600s;
  client_body_temp_path {prefix}/body;
  proxy_temp_path {prefix}/proxy;
  fastcgi_temp_path {prefix}/fastcgi;
  uwsgi_temp_path {prefix}/uwsgi;
  scgi_temp_path {prefix}/scgi;
  types {{ text/html html; }}
  {charset}
  server {{
    listen 127.0.0.1:{port};
    root {root};
  }}
}}
"""


class WebServerFailed(Exception):
    pass


def find_nginx():
    # Debian puts it into sbin, which is not on every user's PATH.
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/sbin")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def configuration(page_set, prefix, port):
    return CONFIGURATION.format(
        # Started by root, the worker would run as user "nobody", which cannot read the caller's folders.
        user="user root;\n" if os.geteuid() == 0 else "",
        prefix=prefix,
        charset="charset utf-8;" if page_set.all_utf8 else "",
        port=port,
        root=nginx_quoted(page_set.folder.resolve()),
    )


def nginx_quoted(path):
    text = str(path)
    if "$" in text:  # nginx would read it as a variable and has no way to escape it
        raise WebServerFailed(f"nginx cannot serve a folder with a $ in its path: {text}")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class WebServer:
    """Use as a context manager; `base_url` is valid inside it."""

    def __init__(self, page_set, scratch):
        self.page_set = page_set
        self.prefix = Path(scratch) / "nginx"
        self.process = None
        self.port = None

    @property
    def base_url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self):
        return self.process.pid

    def __enter__(self):
        self.prefix.mkdir(parents=True, exist_ok=True)
        for _ in range(START_ATTEMPTS):
            self.port = free_port()
            self.start()
            if self.becomes_ready():
                return self
            self.stop()
        raise WebServerFailed(f"nginx does not start: {self.last_words()}")

    def __exit__(self, *_):
        self.stop()

    def start(self):
        file = self.prefix / "nginx.conf"
        file.write_text(configuration(self.page_set, self.prefix, self.port), encoding="utf-8")
        log = self.prefix / "error.log"
        command = [find_nginx(), "-p", str(self.prefix), "-e", str(log), "-c", str(file)]
        with open(self.prefix / "output.log", "wb") as output:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                preexec_fn=die_with_parent(signal.SIGTERM), start_new_session=True,
            )

    def becomes_ready(self):
        deadline = time.monotonic() + READY_SECONDS
        url = self.page_set.urls(self.base_url, 1)[0]
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(url, timeout=1) as answer:
                    return answer.status == 200
            except urllib.error.HTTPError as error:
                raise WebServerFailed(f"{url}: {error}") from error
            except OSError:
                time.sleep(0.01)
        return False

    def stop(self):
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def last_words(self):
        texts = [(self.prefix / name) for name in ("output.log", "error.log")]
        return " ".join(p.read_text(errors="replace").strip() for p in texts if p.exists())[-500:]
