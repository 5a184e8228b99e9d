"""A client of `coredata serve`, written from Documentation/SyncProtocol.md alone, with Python's standard library.

    client.py check SERVER SERVER_TOKEN    makes a zone, and checks what the page says about requests and messages
    client.py rename ADDRESS OLD NEW       gives the folder with the title OLD the title NEW, and makes another folder
"""
import hashlib, http.client, os, secrets, struct, sys, threading, time, urllib.parse, uuid, zlib


class Refused(Exception):
    """Has the status of the answer, or the kind of the message, and the sentence."""


def count(number):
    written = b""
    while number >= 0x80:
        written += bytes([number & 0x7F | 0x80])
        number >>= 7
    return written + bytes([number])


def counted(content):
    return count(len(content)) + content


class Reader:
    def __init__(self, content):
        self.content, self.place = content, 0

    def raw(self, size):
        assert self.place + size <= len(self.content), "the message ends too early"
        self.place += size
        return self.content[self.place - size:self.place]

    def numbers(self, form):
        return struct.unpack(">" + form, self.raw(struct.calcsize(">" + form)))

    def count(self):
        number, shift = 0, 0
        while (byte := self.raw(1)[0]) >= 0x80:
            number, shift = number | (byte & 0x7F) << shift, shift + 7
        return number | byte << shift

    def cell(self):
        object_id, start = self.raw(16), self.place
        kind = self.raw(1)[0]
        self.raw({0: 0, 1: 8, 2: 8 + 16 + 16, 3: 8 + 16, 4: 8 + 16}[kind])
        field = self.content[start:self.place]
        epoch, moment, writer, base = self.numbers("HQQQ")
        return Cell(object_id, field, epoch, (moment, writer), base, self.raw(self.count()))


class Cell:
    def __init__(self, object_id, field, epoch, stamp, base, payload):
        self.key, self.epoch, self.stamp, self.base, self.payload = (object_id, field), epoch, stamp, base, payload

    def order(self):
        return (self.epoch, self.stamp, self.payload)

    def bytes(self):
        return b"".join(self.key) + struct.pack(">HQQQ", self.epoch, *self.stamp, self.base) + counted(self.payload)


def number_of(name):
    number = 0xCBF29CE484222325
    for byte in name.encode():
        number = (number ^ byte) * 0x100000001B3 % (1 << 64)
    return number


CHECKED = 16
LIFE = b"\x00"
TEXT, ENTITY, ASSET = b"\x05", b"\x0d", b"\x0e"


def value_of(name):
    return b"\x01" + struct.pack(">Q", number_of(name))


class Zone:
    INLINE, PART = 256 << 10, 1_000_000

    def __init__(self, address):
        place, token = address.split("#")
        self.token, self.key = (token.split(".") + [None])[:2]
        assert self.key is None, "this client does not encrypt"
        self.server, self.name = place.rsplit("/", 1)
        self.replica = uuid.uuid4().bytes
        self.device = secrets.randbits(32)
        self.writer = self.device << 32 | secrets.randbits(32) | 1
        self.read = self.seen = (0, 0)
        self.latest, self.cells, self.knows_server = 0, {}, False
        self.checks = True

    def connection(self):
        parts = urllib.parse.urlsplit(self.server)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return kind(parts.netloc, timeout=60), parts.path

    def ask(self, method, path, body=b"", fields=(), token=None):
        connection, prefix = self.connection()
        with_token = {"Authorization": f"Bearer {token or self.token}", **dict(fields)}
        connection.request(method, prefix + path, body=body, headers=with_token)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status not in (200, 201, 206):
            raise Refused(answer.status, content.decode().strip())
        return content

    def in_zone(self, method, path, *rest, **more):
        return self.ask(method, f"/v1/zones/{self.name}/{path}", *rest, **more)

    def exchange(self, message):
        """Sends a message with a checksum, or without one to a server that does not know them."""
        if not self.checks:
            return self.opened(self.in_zone("POST", "sync", b"\x01" + message))
        checked = b"\x01" + bytes([message[0] | CHECKED]) + message[1:]
        try:
            content = self.in_zone("POST", "sync", checked + struct.pack(">I", zlib.crc32(checked)))
        except Refused as refused:
            if refused.args[0] != 501:
                raise
            self.checks = False
            return self.exchange(message)
        assert content[1] & CHECKED and zlib.crc32(content[:-4]) == struct.unpack(">I", content[-4:])[0]
        return self.opened(content[:-4])

    def opened(self, content):
        answer = Reader(content)
        assert answer.raw(1) == b"\x01", "the server speaks another protocol"
        return answer.raw(1)[0] & ~CHECKED, answer

    def pull(self):
        """Fetches all cells behind those that were read; says whether any of them was news."""
        return self.pull_from(self.read if self.knows_server else (0, 0), snapshot=not self.knows_server)

    def pull_from(self, after, snapshot, limit=1_000):
        anything = False
        while True:
            kind, page = self.exchange(
                b"\x02" + self.replica + struct.pack(">QQQQQQ", *after, *self.seen, *self.read)
                + bytes([snapshot]) + count(limit) + count(0))
            if kind in (3, 4) and not snapshot:  # begin again, and backup
                return self.pull_from((0, 0), snapshot=True)
            assert kind == 2, f"the answer to a pull is {kind}"
            cells = [page.cell() for _ in range(page.count())]
            after = page.numbers("QQ")
            is_last = page.raw(1)[0]
            for cell in cells:
                anything = self.merge(cell) or anything
            self.seen = after
            if is_last:
                self.read, self.knows_server = after, True
                return anything

    def merge(self, cell):
        self.latest = max(self.latest, cell.stamp[0])
        known = self.cells.get(cell.key)
        if cell.key[1][0] == 4 or known and known.order() >= cell.order():
            return False
        if cell.payload[:1] == ASSET and len(cell.payload) == 41:
            cell.payload = self.fetched(cell.payload[1:33].hex(), struct.unpack(">Q", cell.payload[33:])[0])
        self.cells[cell.key] = cell
        return True

    def stamp(self):
        device, now = self.device & 0x3FF, int(time.time() * 1000)
        later = (self.latest >> 10) + 1 << 10
        self.latest = (now << 16 if now > self.latest >> 16 else later) | device
        return (self.latest, self.writer)

    def push(self, changes, entity=None):
        """Sends payloads by object and field; of new objects, the entity too."""
        stamp = self.stamp()
        sent = []
        for object_id in dict.fromkeys(object_id for object_id, _ in changes):
            if (object_id, LIFE) not in self.cells:
                sent.append(Cell(object_id, LIFE, 1, stamp, 0, ENTITY + entity.encode()))
        for (object_id, field), payload in changes.items():
            life, known = self.cells.get((object_id, LIFE)), self.cells.get((object_id, field))
            base = known.stamp[0] if known else 0
            sent.append(Cell(object_id, field, life.epoch if life else 1, stamp, base, payload))
        self.send(sent)

    def delete(self, object_id):
        life = self.cells[object_id, LIFE]
        self.send([Cell(object_id, LIFE, life.epoch + 1, self.stamp(), life.stamp[0], life.payload)])

    def send(self, cells):
        written = b"".join(
            Cell(*cell.key, cell.epoch, cell.stamp, cell.base, self.apart(cell.payload)).bytes() for cell in cells)
        kind, answer = self.exchange(
            b"\x04" + self.replica + struct.pack(">QQQQ", *self.read, *self.seen) + count(len(cells)) + written
            + struct.pack(">Q", int(time.time() * 1000)))
        if kind != 1:
            raise Refused(kind, {3: "begin again", 4: "backup", 5: "clock ahead"}[kind])
        self.seen = answer.numbers("QQ")
        for cell in cells:
            self.cells[cell.key] = cell

    def apart(self, payload):
        if len(payload) <= self.INLINE:
            return payload
        digest, size = hashlib.sha256(payload), len(payload)
        path = f"assets/{digest.hexdigest()}"
        there = int(self.in_zone("PUT", path, fields={"Content-Range": f"bytes */{size}"}.items()))
        while there < size:
            part = payload[there:there + self.PART]
            told = f"bytes {there}-{there + len(part) - 1}/{size}"
            there = int(self.in_zone("PUT", path, part, {"Content-Range": told}.items()))
        return ASSET + digest.digest() + struct.pack(">Q", size)

    def fetched(self, name, size):
        payload = b""
        while len(payload) < size:
            last = min(len(payload) + self.PART, size) - 1
            asked = {"Range": f"bytes={len(payload)}-{last}"}
            payload += self.in_zone("GET", f"assets/{name}", fields=asked.items())
        assert hashlib.sha256(payload).hexdigest() == name
        return payload

    def heads(self):
        """The heads that the server tells, without end."""
        connection, prefix = self.connection()
        connection.request(
            "GET", f"{prefix}/v1/zones/{self.name}/events", headers={"Authorization": f"Bearer {self.token}"})
        for line in connection.getresponse():
            if line.startswith(b"data:"):
                yield int(line[5:])

    def objects(self, entity):
        for (object_id, field), life in self.cells.items():
            if field == LIFE and life.epoch & 1 and life.payload == ENTITY + entity.encode():
                yield object_id

    def text(self, object_id, name):
        cell, life = self.cells.get((object_id, value_of(name))), self.cells[object_id, LIFE]
        return cell.payload[1:].decode() if cell and cell.epoch == life.epoch and cell.payload[:1] == TEXT else None


def refusal(work):
    try:
        work()
    except Refused as refused:
        return refused.args[0]
    return None


def check(server, server_token):
    first = Zone(f"{server}/Garden#{server_token}")
    first.token = first.ask("PUT", "/v1/zones/Garden?label=python", token=server_token).decode().strip()
    assert refusal(lambda: first.ask("PUT", "/v1/zones/Garden", token=server_token)) == 409
    assert b"Garden\t0\tdefault\n" in first.ask("GET", "/v1/zones", token=server_token)
    assert first.ask("GET", "/health") == b"ok\n"
    reader_token = first.in_zone("POST", "tokens?role=read&label=second").decode().strip()
    second = Zone(f"{server}/Garden#{reader_token}")
    note = uuid.uuid4().bytes
    title = {(note, value_of("title")): TEXT + "Seeds".encode()}
    assert refusal(lambda: first.push(title, "Note")) == 3, "a push before the first pull"
    assert not first.pull() and not second.pull()

    heads = []
    told = threading.Event()

    def listen():
        for head in second.heads():
            heads.append(head)
            if head > 0:
                return told.set()
    threading.Thread(target=listen, daemon=True).start()
    while not heads:
        time.sleep(0.01)
    first.push(title, "Note")
    assert told.wait(30) and heads == [0, 2], heads
    assert second.pull() and [second.text(id, "title") for id in second.objects("Note")] == ["Seeds"]
    assert second.read == first.seen and not first.pull(), "the own cells come back equal"

    large = TEXT + "soil ".encode() * 500_000
    first.push({(note, value_of("text")): large, (note, value_of("title")): TEXT + b"Soil"})
    assert int(second.in_zone("GET", f"news?after={second.read[0]}&wait=20")) == first.seen[0]
    assert second.pull() and second.cells[note, value_of("text")].payload == large
    first.push({(uuid.uuid4().bytes, value_of("title")): TEXT + str(number).encode() for number in range(1_500)}, "Note")
    assert second.pull() and len(list(second.objects("Note"))) == 1_501, "two pages"
    first.delete(note)
    assert second.pull() and note not in set(second.objects("Note"))

    assert refusal(lambda: second.push(title)) == 403
    missing = ASSET + bytes(32) + struct.pack(">Q", 5)
    assert refusal(lambda: first.push({(note, value_of("text")): missing})) == 424
    assert refusal(lambda: first.in_zone("POST", "sync", b"\x01\x02short")) == 400
    assert refusal(lambda: first.in_zone("POST", "sync", b"\x02\x02")) == 501
    assert refusal(lambda: first.in_zone("POST", "sync", b"\x01\x12" + bytes(100))) == 422, "a wrong checksum"
    first.checks = False
    first.pull()
    assert refusal(lambda: first.in_zone("GET", "assets/" + "0" * 64)) == 404
    assert refusal(lambda: first.in_zone("PUT", "assets/" + "0" * 64, b"abc", [("Content-Range", "bytes 0-2/3")])) == 422
    assert refusal(lambda: first.in_zone("PUT", "tokens/1", bytes(2_000))) == 413
    first.latest = int(time.time() * 1000) + 3_600_000 << 16
    assert refusal(lambda: first.push({(note, value_of("title")): TEXT + b"later"})) == 5, "the clock is ahead"
    number = [line.split("\t")[0] for line in first.in_zone("GET", "tokens").decode().split("\n") if "second" in line]
    first.in_zone("DELETE", f"tokens/{number[0]}")
    assert refusal(second.pull) == 401
    assert b'coredata_sync_requests_total{place="sync",status="200"}' in first.ask("GET", "/metrics", token=server_token)


def rename(address, old, new):
    zone = Zone(address)
    zone.pull()
    folder = next(id for id in zone.objects("Folder") if zone.text(id, "title") == old)
    zone.push({(folder, value_of("title")): TEXT + new.encode()})
    zone.push({(uuid.uuid4().bytes, value_of(name)): TEXT + b"python" for name in ["key"]}, "Folder")


if __name__ == "__main__":
    {"check": check, "rename": rename}[sys.argv[1]](*sys.argv[2:])
    print("ok")
