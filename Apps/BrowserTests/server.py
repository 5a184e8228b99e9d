"""The program under test, with a store of its own, and its API as a second person who uses it."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

BUILD = Path(__file__).parents[2] / ".build"
# The address of a PostgreSQL database, where the notes shall be in one; main.py sets it for --store.
DATABASE = os.environ.get("SLIPBOX_BROWSER_STORE")


class Running:
    """A server somebody else started; its address as it was printed, with the key."""

    def __init__(self, printed: str):
        self.printed = printed
        self.address, self.cookie = entrance(printed)

    def stop(self) -> None:
        pass

    def call(self, method: str, path: str, body=None, kind="application/json", **fields):
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": kind, "X-Slipbox-Client": "another-person", "Cookie": self.cookie} | fields
        request = urllib.request.Request(f"{self.address}/api{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()[:300]}") from None
        return json.loads(text) if text else None

    def make_folder(self, name: str, parent: str | None = None) -> str:
        folder = str(uuid.uuid4())
        self.call("POST", "/folders", {"id": folder, "name": name, "parent": parent})
        return folder

    def make_note(self, title: str, *blocks, folder: str | None = None, keywords=(), **more) -> str:
        note = str(uuid.uuid4())
        body = {"id": note, "title": title, "document": document(*blocks), **more}
        self.call("POST", "/notes", body | ({"folder": folder} if folder else {}))
        if keywords:
            self.call("PATCH", f"/notes/{note}", {"addKeywords": [keyword(one) for one in keywords]})
        return note

    def note(self, note: str):
        return self.call("GET", f"/notes/{note}")

    def keep_file(self, note: str, name: str, data: bytes):
        """Puts a file into a note, whose text does not name it yet; gives the facts about it."""
        return self.call("PUT", f"/notes/{note}/files", data, "application/octet-stream", **{"X-File-Name": urllib.parse.quote(name)})

    def make_note_with_files(self, title: str, *files: tuple[str, bytes]) -> str:
        note = self.make_note(title, "")
        kept = [self.keep_file(note, name, data) for name, data in files]
        blocks = [picture(one["id"]) if one["width"] else attached(one["id"], one["name"]) for one in kept]
        self.rewrite(note, "Before", *blocks, "After")
        return note

    def rewrite(self, note: str, *blocks, title: str | None = None) -> None:
        body = {"base": self.note(note)["revision"], "document": document(*blocks)}
        self.call("PATCH", f"/notes/{note}", body | ({"title": title} if title else {}))

    def text(self, note: str) -> str:
        return plain(self.note(note)["document"])


class Server(Running):
    """The program that was built, on a free port and a fresh store."""

    def __init__(self, process: subprocess.Popen, folder: str, address: str):
        super().__init__(address)
        self.process = process
        self.folder = folder

    @classmethod
    def started(cls, *options: str, device: str = "") -> "Server":
        built = [path for path in (BUILD / "debug/slipbox", BUILD / "release/slipbox") if path.exists()]
        if not built:
            raise SystemExit("There is no server: swift build --package-path Apps --product slipbox")
        program = max(built, key=lambda path: path.stat().st_mtime)
        folder = tempfile.mkdtemp(prefix="slipbox-browser-tests-")
        # In a database each server has a zone of its own, which stays there.
        place = ["--zone", f"browser-{uuid.uuid4()}", "--folder", folder] if DATABASE else ["--store", folder]
        environment = os.environ | {"COREDATA_SYNC_DEVICE": device} | ({"SLIPBOX_STORE": DATABASE} if DATABASE else {})
        process = subprocess.Popen([program, "--port", "0", *place, *options], stdout=subprocess.PIPE, text=True, env=environment)
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                return cls(process, folder, found.group(0))
        shutil.rmtree(folder)
        raise SystemExit(f"{program} ended before it listened.")

    def stop(self) -> None:
        self.process.terminate()
        code = self.process.wait(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)
        if code != 0:
            raise SystemExit(f"The server ended with {code}.")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def entrance(printed: str) -> tuple[str, str]:
    """The address without the key, and the cookie that a browser gets for it."""
    address = re.match(r"http://[^/?]+", printed).group(0)
    try:
        urllib.request.build_opener(NoRedirect).open(printed, timeout=60)
    except urllib.error.HTTPError as answer:
        if answer.code == 303:
            return address, answer.headers["Set-Cookie"].split(";")[0]
    raise SystemExit(f"{address} has no key in it, or another one than the server: take the address as it was printed.")


def keyword(name: str | tuple[str, str]):
    return {"name": name} if isinstance(name, str) else {"name": name[0], "color": name[1]}


def document(*blocks):
    return {"version": 1, "type": "doc", "content": [block if isinstance(block, dict) else paragraph(block) for block in blocks or ("",)]}


def paragraph(*pieces):
    content = [piece if isinstance(piece, dict) else {"type": "text", "text": piece} for piece in pieces if piece]
    return {"type": "paragraph"} | ({"content": content} if content else {})


def heading(level: int, text: str):
    return {"type": "heading", "attrs": {"level": level}, "content": [{"type": "text", "text": text}]}


def quote(text: str):
    return {"type": "blockquote", "content": [paragraph(text)]}


def bullets(*lines: str):
    return {"type": "bulletList", "content": [{"type": "listItem", "content": [paragraph(line)]} for line in lines]}


def tasks(*lines: tuple[bool, str]):
    items = [{"type": "taskItem", "attrs": {"checked": done}, "content": [paragraph(line)]} for done, line in lines]
    return {"type": "taskList", "content": items}


def marked(text: str, mark: str, **attributes):
    return {"type": "text", "text": text, "marks": [{"type": mark} | ({"attrs": attributes} if attributes else {})]}


def link(title: str, note: str):
    return marked(title, "link", href=f"note:{note}")


def callout(kind: str, title: str, *blocks, **more):
    inside = [block if isinstance(block, dict) else paragraph(block) for block in blocks]
    return {"type": "callout", "attrs": {"kind": kind, **more}, "content": [paragraph(title), *inside]}


def mark(label: str):
    return {"type": "footnoteMark", "attrs": {"label": label}}


def footnote(label: str, text: str):
    return {"type": "footnote", "attrs": {"label": label}, "content": [paragraph(text)]}


def plain(node) -> str:
    own = node.get("text", "")
    inside = "".join(plain(child) for child in node.get("content", []))
    return own + inside + ("\n" if node["type"] in ("paragraph", "heading", "codeBlock") else "")


def picture(file: str, **more):
    return {"type": "picture", "attrs": {"file": file, **more}}


def attached(file: str, name: str):
    return {"type": "file", "attrs": {"file": file, "name": name}}


def table(*rows):
    """Rows of texts, the first of which says what is in the columns."""
    kinds = ["tableHeader"] + ["tableCell"] * (len(rows) - 1)
    return {"type": "table", "content": [{"type": "tableRow", "content": [{"type": kind, "content": [paragraph(text)]} for text in row]} for kind, row in zip(kinds, rows)]}
