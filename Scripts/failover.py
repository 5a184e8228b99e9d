"""Three servers, their leader killed under load; see Scripts/failover.

Two bookservers have one database. For each book a client of the one and a client of the other add copies, one with each
request, so that the stock says how many of their saves are there. An answer of 200 is an acknowledgement; any other, or none,
leaves open whether the save happened.

    copies there < acknowledged                  saves were lost
    copies there > acknowledged + in doubt       saves happened twice
"""

import argparse
import http.client
import json
import os
import pathlib
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
NODES = [1, 2, 3]
# Ports that a server of somebody else hardly has.
ETCD, PEER, SQL, REST = 23790, 23800, 56200, 56210


def options():
    parser = argparse.ArgumentParser(description="Kills the leader of three PostgreSQL servers while two bookservers save.")
    parser.add_argument("--seconds", type=float, default=30, help="how long to save")
    parser.add_argument("--kills", type=int, default=1, help="how often to kill the leader")
    parser.add_argument("--books", type=int, default=4, help="how many books, with two clients each")
    return parser.parse_args()


class Cluster:
    """etcd, and a Patroni for each server, all as a user who may run PostgreSQL."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        # What cannot connect for the moment looks otherwise where a password is asked for.
        self.password = secrets.token_hex(16)
        self.programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))[-1]
        self.processes = {}
        # PostgreSQL refuses to be root.
        self.user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        self.start("etcd", [
            "etcd", "--data-dir", folder / "etcd", "--listen-client-urls", f"http://127.0.0.1:{ETCD}",
            "--advertise-client-urls", f"http://127.0.0.1:{ETCD}", "--listen-peer-urls", f"http://127.0.0.1:{PEER}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{PEER}", "--initial-cluster", f"default=http://127.0.0.1:{PEER}",
            "--enable-v2=true",
        ])
        for node in NODES:
            self.start_node(node)

    def start(self, name: str, command) -> None:
        log = open(self.folder / f"{name}.log", "a")
        more = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        self.processes[name] = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, start_new_session=True, **more)

    def start_node(self, node: int) -> None:
        file = self.folder / f"node{node}.json"
        file.write_text(json.dumps(self.settings(node)))
        self.start(f"node{node}", ["patroni", file])

    def settings(self, node: int):
        rules = [f"{who} scram-sha-256" for who in ("local all all", "host all all 127.0.0.1/32", "host replication all 127.0.0.1/32")]
        place = f"127.0.0.1:{SQL + node}"
        return {
            "scope": "books", "name": f"node{node}",
            "restapi": {"listen": f"127.0.0.1:{REST + node}", "connect_address": f"127.0.0.1:{REST + node}"},
            "etcd3": {"host": f"127.0.0.1:{ETCD}"},
            "bootstrap": {
                "dcs": {
                    "ttl": 20, "loop_wait": 2, "retry_timeout": 3, "synchronous_mode": True, "synchronous_mode_strict": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {
                        "max_connections": 100, "wal_log_hints": "on", "synchronous_commit": "on", "shared_buffers": "32MB"}},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, {"auth": "scram-sha-256"}],
                "pg_hba": rules,
            },
            "postgresql": {
                "listen": place, "connect_address": place, "data_dir": str(self.folder / f"data{node}"),
                "bin_dir": str(self.programs), "pgpass": str(self.folder / f"pgpass{node}"),
                "authentication": {role: {"username": "postgres", "password": self.password} for role in ("replication", "superuser", "rewind")},
                "parameters": {"unix_socket_directories": str(self.folder)},
                "pg_hba": rules,
            },
        }

    @property
    def address(self) -> str:
        hosts, ports = ",".join("127.0.0.1" for _ in NODES), ",".join(str(SQL + node) for node in NODES)
        return f"postgresql:///postgres?user=postgres&host={hosts}&port={ports}&target_session_attrs=read-write&connect_timeout=2"

    def members(self):
        """The roles of the servers that Patroni knows; nothing while nobody can say."""
        for node in NODES:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{REST + node}/cluster", timeout=2) as answer:
                    return {member["name"]: member["role"] for member in json.load(answer)["members"] if member.get("state") in ("running", "streaming")}
            except (OSError, ValueError):
                continue
        return {}

    def leader(self, patience: float = 120, other_than: str | None = None) -> str:
        """Waits for a leader that has somebody who follows at once."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            roles = self.members()
            leaders = [name for name, role in roles.items() if role == "leader" and name != other_than]
            if leaders and "sync_standby" in roles.values():
                return leaders[0]
            time.sleep(0.3)
        raise SystemExit(f"No server became the leader in {patience:.0f} s; the logs are in {self.folder}.")

    def kill(self, name: str) -> None:
        """As if its machine had lost its power: Patroni and all of PostgreSQL's processes at once."""
        node = int(name.removeprefix("node"))
        os.killpg(self.processes[name].pid, signal.SIGKILL)
        file = self.folder / f"data{node}" / "postmaster.pid"
        if file.exists():
            postmaster = int(file.read_text().split()[0])
            children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(postmaster)], capture_output=True, text=True).stdout.split()
            for process in [postmaster, *map(int, children)]:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.processes[name].wait()

    def stop(self) -> None:
        for name in [name for name in self.processes if name != "etcd"] + ["etcd"]:
            process = self.processes.get(name)
            if process and process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)


class Client(threading.Thread):
    """Adds copies of one book until it is told to end."""

    def __init__(self, port: int, book: int, end: threading.Event):
        super().__init__(daemon=True)
        self.port, self.book, self.end = port, book, end
        self.acknowledged = self.doubtful = 0

    def run(self) -> None:
        while not self.end.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                connection.request("POST", f"/api/books/{self.book}/stock", '{"change": 1}', {"Content-Type": "application/json"})
                status = connection.getresponse().status
            except (OSError, http.client.HTTPException):
                status = 0
            finally:
                connection.close()
            if status == 200:
                self.acknowledged += 1
            else:
                self.doubtful += 1
                time.sleep(0.2)


def bookserver(cluster: Cluster, name: str, *more: str):
    program = max((path for path in (ROOT / ".build/debug/bookserver", ROOT / ".build/release/bookserver") if path.exists()), key=lambda path: path.stat().st_mtime, default=None)
    if not program:
        raise SystemExit("There is no bookserver: swift build --package-path Apps --scratch-path .build --product bookserver")
    log = cluster.folder / f"{name}.log"
    command = [program, "--port", "0", "--store", cluster.address, *more]
    # Not in the address, which everybody on the machine can read in the list of programs.
    environment = os.environ | {"PGPASSWORD": cluster.password}
    with open(log, "w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment, text=True)
    for line in process.stdout:
        if found := re.search(r"http://[^:]+:(\d+)", line):
            return process, int(found.group(1))
    raise SystemExit(f"bookserver ended before it listened: {log.read_text().strip()} The logs are in {cluster.folder}.")


def stock(port: int, book: int) -> int:
    """What is there; asked again while the new leader is not yet at work."""
    for _ in range(60):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/books/{book}", timeout=30) as answer:
                return json.load(answer)["stock"]
        except OSError:
            time.sleep(0.5)
    raise SystemExit("The books cannot be read any more.")


def main() -> int:
    wanted = options()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="failover-"))
    cluster, servers = Cluster(folder), []
    try:
        print(f"{cluster.leader()} is the leader")
        servers.append(bookserver(cluster, "bookserver1", "--fill", str(wanted.books)))
        servers.append(bookserver(cluster, "bookserver2"))
        books = range(1, wanted.books + 1)
        before = {book: stock(servers[0][1], book) for book in books}
        end = threading.Event()
        clients = [Client(port, book, end) for book in books for _, port in servers]
        for client in clients:
            client.start()
        for _ in range(wanted.kills):
            time.sleep(wanted.seconds / (wanted.kills + 1))
            leader = cluster.leader()
            began = time.monotonic()
            cluster.kill(leader)
            heir = cluster.leader(other_than=leader)
            print(f"{leader} was killed; {heir} is the leader after {time.monotonic() - began:.0f} s")
            cluster.start_node(int(leader.removeprefix("node")))
        time.sleep(wanted.seconds / (wanted.kills + 1))
        end.set()
        for client in clients:
            client.join()
        found = {book: stock(servers[1][1], book) - before[book] for book in books}
    finally:
        for server, _ in servers:
            server.terminate()
            server.wait()
        cluster.stop()
    # Where something went wrong, the logs stay.
    shutil.rmtree(folder, ignore_errors=True)
    return judge(clients, found)


def judge(clients, found) -> int:
    lost = twice = 0
    for book, there in found.items():
        known = sum(client.acknowledged for client in clients if client.book == book)
        lost += max(0, known - there)
        twice += max(0, there - known - sum(client.doubtful for client in clients if client.book == book))
    acknowledged, doubtful = sum(client.acknowledged for client in clients), sum(client.doubtful for client in clients)
    print(f"{acknowledged} saves acknowledged, {doubtful} requests without an answer of success; {lost} lost, {twice} twice")
    if not acknowledged:
        print("Nothing was saved at all.")
    return 0 if acknowledged and not lost and not twice else 1


if __name__ == "__main__":
    sys.exit(main())
