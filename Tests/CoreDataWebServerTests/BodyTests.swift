import Foundation
import Testing

@testable import CoreDataWebServer

struct `Bodies` {
  private func serve(
    bodyLimit: Int = 1_000,
    uploadLimit: Int = 100_000,
    _ test: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run {
      $0.bodyLimit = bodyLimit
      $0.uploadLimit = uploadLimit
    } routes: { router, folder in
      router.post("/text") { request in .text("\(request.body.count)") }
      router.put("/picture", body: .file) { request in
        guard let upload = request.upload else { return .empty }
        let data = try Data(contentsOf: upload.file)
        #expect(data.count == upload.byteCount)
        return .data(data, contentType: upload.contentType ?? "none")
      }
      router.put("/kept", body: .file) { request in
        guard let upload = request.upload else { return .empty }
        try FileManager.default.moveItem(
          at: upload.file,
          to: folder.appendingPathComponent("kept")
        )
        return .empty
      }
      router.post("/import", body: .parts) { request in
        .text(
          try request.parts.map { part in
            "\(part.name)|\(part.filename ?? "-")|\(part.contentType ?? "-")|"
              + "\(part.byteCount)|\(String(decoding: try part.data(), as: UTF8.self))"
          }.joined(separator: "\n")
        )
      }
    } test: {
      try await test($0)
    }
  }

  @Test(arguments: [0, 1, 1_000])
  func `are taken up to their limit`(count: Int) async throws {
    try await serve { server async throws in
      let answer = try await server.ask("POST", "/text", body: Data(repeating: 65, count: count))
      #expect(answer.text == "\(count)")
    }
  }

  @Test(arguments: [1_001, 900_000])
  func `are refused above it, with a sentence that arrives`(count: Int) async throws {
    try await serve { server async throws in
      let answer = try await server.ask("POST", "/text", body: Data(repeating: 65, count: count))
      #expect(answer.status == 413)
      #expect(answer.sentence == "The body is too large; up to 1000 bytes are taken.")
    }
  }

  @Test func `are refused before they are sent when the client asks first`() async throws {
    try await serve { server async throws in
      let answer = try await server.raw(
        "POST /text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n"
      )
      #expect(answer.status == 413)
      #expect(answer["Connection"]?.lowercased() == "close")
    }
  }

  @Test func `may come in chunks, which are counted too`() async throws {
    try await serve { server async throws in
      let head =
        "POST /text HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
      let small = try await server.raw(head + "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n")
      #expect(small.text == "8")
      let piece = "400\r\n" + String(repeating: "x", count: 1_024) + "\r\n"
      let large = try await server.raw(head + piece + piece + "0\r\n\r\n")
      #expect(large.status == 413)
    }
  }

  @Test func `go to a file where a route wants it so`() async throws {
    try await serve { server async throws in
      let picture = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let answer = try await server.ask(
        "PUT",
        "/picture",
        ["Content-Type": "image/png"],
        body: picture
      )
      #expect(answer["Content-Type"] == "image/png")
      #expect(answer.body == picture)
      let tooLarge = try await server.ask("PUT", "/picture", body: picture + Data([1]))
      #expect(tooLarge.status == 413)
    }
  }

  @Test func `stay when they are moved away`() async throws {
    try await serve { server async throws in
      _ = try await server.ask("PUT", "/kept", body: Data("picture".utf8))
      let kept = try Data(contentsOf: server.folder.appendingPathComponent("kept"))
      #expect(kept == Data("picture".utf8))
    }
  }

  @Test func `leave nothing behind when the client hangs up`() async throws {
    try await serve { server async throws in
      do {
        let wire = try Wire(port: server.port)
        await wire.send(
          "PUT /picture HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\nabc"
        )
        let uploads = server.folder.appendingPathComponent("uploads").path
        #expect(
          await eventually {
            (try? FileManager.default.contentsOfDirectory(atPath: uploads).count) == 1
          }
        )
      }
      // `TestServer.run` looks whether the folder is empty after the stop.
    }
  }
}

struct `Forms` {
  private static let form =
    "--b0\r\nContent-Disposition: form-data; name=\"folder\"\r\n\r\n12\r\n"
    + "--b0\r\nContent-Disposition: form-data; name=\"file\"; filename=\"C:\\notes\\a \\\"b\\\".md\"\r\n"
    + "Content-Type: text/markdown\r\n\r\n# A\r\n--b\r\n--b1\r\n\r\n"
    + "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"empty.txt\"\r\n\r\n\r\n"
    + "--b0--\r\n"

  private static let listed =
    "folder|-|-|2|12\nfile|a \"b\".md|text/markdown|16|# A\r\n--b\r\n--b1\r\n\nfile|empty.txt|-|0|"

  private func read(_ form: String, piece: Int, boundary: String = "b0") throws -> [Part] {
    let folder = FileManager.default.temporaryDirectory
    var reader = try MultipartReader(
      contentType: "multipart/form-data; boundary=\(boundary)",
      folder: folder,
      limit: 100_000
    )
    let bytes = Array(form.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { try reader.take($0) }
    }
    let (parts, files) = try reader.finish()
    return withExtendedLifetime(files) { parts }
  }

  @Test func `bring each field as a file`() async throws {
    try await TestServer.run { router, _ in
      router.post("/import", body: .parts) { request in
        .text(
          try request.parts.map { part in
            "\(part.name)|\(part.filename ?? "-")|\(part.contentType ?? "-")|"
              + "\(part.byteCount)|\(String(decoding: try part.data(), as: UTF8.self))"
          }.joined(separator: "\n")
        )
      }
    } test: { server async throws in
      let answer = try await server.ask(
        "POST",
        "/import",
        ["Content-Type": "multipart/form-data; boundary=\"b0\""],
        body: Data(Self.form.utf8)
      )
      #expect(answer.text == Self.listed)
      let other = try await server.ask(
        "POST",
        "/import",
        ["Content-Type": "application/json"],
        body: Data("{}".utf8)
      )
      #expect(other.status == 415)
    }
  }

  @Test(arguments: [1, 2, 3, 7, 50, 1_000])
  func `are read in pieces of any size`(piece: Int) throws {
    let parts = try read(Self.form, piece: piece)
    #expect(parts.map(\.name) == ["folder", "file", "file"])
    #expect(parts.map(\.byteCount) == [2, 16, 0])
    #expect(parts.map(\.filename) == [nil, "a \"b\".md", "empty.txt"])
  }

  @Test(arguments: [
    ("", "The form ends too early."),
    ("--b0\r\n", "The form ends too early."),
    ("--b0\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nabc", "The form ends too early."),
    (
      "--b0\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--b0--",
      "A part of the form has no name."
    ),
    ("--b0\r\n\r\nabc\r\n--b0--", "A part of the form has no name."),
    ("--b0xy\r\n", "The form has a broken boundary."),
    (
      "--b0\r\n" + String(repeating: "X: y\r\n", count: 2_000),
      "A part of the form has too many fields."
    ),
    (
      String(
        repeating: "--b0\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n",
        count: 201
      ),
      "The form has more than 200 parts."
    ),
  ])
  func `that are broken are refused with a sentence`(form: String, sentence: String) {
    let problem = #expect(throws: Problem.self) { try read(form, piece: 11) }
    #expect(problem?.message == sentence)
  }

  @Test func `kept each of their files open`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("forms-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var reader = try MultipartReader(
      contentType: "multipart/form-data; boundary=b0",
      folder: folder,
      limit: 100_000
    )
    let part = "--b0\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nabc\r\n"
    let form = String(repeating: part, count: 100) + "--b0--"
    try Array(form.utf8).withUnsafeBytes { try reader.take($0) }
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      .filter { $0.contains(folder.lastPathComponent) }
    #expect(open.isEmpty)
    let (parts, files) = try reader.finish()
    #expect(parts.count == 100)
    let last = try withExtendedLifetime(files) { try parts.last?.data() }
    #expect(last == Data("abc".utf8))
  }

  @Test func `need a boundary`() {
    for type in ["multipart/form-data", "multipart/form-data; boundary=\"\"", "text/plain"] {
      #expect(throws: Problem.self) {
        try MultipartReader(
          contentType: type,
          folder: FileManager.default.temporaryDirectory,
          limit: 10
        )
      }
    }
  }
}
