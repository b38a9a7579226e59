"""Time from the SIGKILL of a daemon's only worker to its next page request, by timestamps of a web server."""

import http.server
import json
import os
import signal
import subprocess
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from .children import die_with_parent
from .google_benchmark import is_built
from .respawning import RespawnFailed, figures

PAGES = 50_000  # more than are processed during all kills
TIMEOUT = 20.0
KILL_INTERVAL = 0.25  # seconds between kills: the next spare must be ready
ANSWER_TIME = 0.004
# What the server had accepted before the kill is stamped within this time.
LATE = 0.006

PROJECT = '[network]\nallow = ["127.0.0.1"]\n[recovery]\nmax_restarts = 100000\nbackoff = "0s"\npoison_limit = 1000\n'
JOB = ('schedule = "manual"\nname = "pages"\nurls_file = "urls.txt"\nselector = "li"\nfields = ["text:"]\nworkers = 2\nstagger = "0s"\n'
       "[notification]\nenabled = false\n[limits]\npages_per_run = 1000000\n")


def measure_taking_over(build, scratch, kills):
    """{"rows": [figures]}, or {"missing": why}."""
    program = Path(build) / "heddle"
    if not is_built(program):
        return {"missing": f"{program} is not built: cmake --build {build} --target heddle"}
    folder = Path(scratch) / "taking-over"
    try:
        with stamping_server() as (port, stamps):
            write_project(folder, port)
            return {"rows": [figures("heddle up", kill_workers(program, folder, stamps, kills))]}
    except (RespawnFailed, OSError, ValueError) as failure:
        return {"missing": str(failure)}


def write_project(folder, port):
    job = folder / "jobs" / "pages"
    job.mkdir(parents=True)
    (folder / "heddle.toml").write_text(PROJECT)
    (job / "config.toml").write_text(JOB)
    (job / "urls.txt").write_text("".join(f"http://127.0.0.1:{port}/p{i}\n" for i in range(PAGES)))


@contextmanager
def stamping_server():
    stamps = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            stamps.append(time.monotonic())
            time.sleep(ANSWER_TIME)
            body = b"<li>x</li>"
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments):
            pass

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *_arguments):
            pass  # the client was killed, as it should be

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port, stamps
    finally:
        server.shutdown()
        server.server_close()


def kill_workers(program, folder, stamps, kills):
    heddle = [str(program), "--project", str(folder)]
    with running([*heddle, "up", "--processes", "1"], folder / "up.log"):
        wait_for(lambda: worker_of(heddle), "no worker is up")
        with running([*heddle, "run", "pages"], folder / "run.log"):
            wait_for(lambda: stamps, "no page was asked for")
            return [kill_one(heddle, stamps) for _ in range(kills)]


def kill_one(heddle, stamps):
    time.sleep(KILL_INTERVAL)
    pid = wait_for(lambda: worker_of(heddle), "no worker is up")
    known, begin = len(stamps), time.monotonic()
    os.kill(pid, signal.SIGKILL)

    def first_after():
        return next((stamp - begin for stamp in stamps[known:] if stamp > begin + LATE), None)

    return wait_for(first_after, "no page was asked for after a kill")


def worker_of(heddle):
    answer = subprocess.run([*heddle, "workers", "--json"], capture_output=True, text=True, timeout=TIMEOUT,
                            check=False)
    if answer.returncode != 0:
        return None
    return next((worker["pid"] for worker in json.loads(answer.stdout) if worker["slot"] == 1), None)


def wait_for(find, otherwise):
    limit = time.monotonic() + TIMEOUT
    while time.monotonic() < limit:
        found = find()
        if found:
            return found
        time.sleep(0.01)
    raise RespawnFailed(otherwise)


@contextmanager
def running(command, log_file):
    with open(log_file, "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   preexec_fn=die_with_parent(signal.SIGTERM))
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
