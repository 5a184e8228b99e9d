import ChildPrograms
import Foundation
import Testing

/// Options of `coredata serve` that mean nothing, or nothing together.
struct ServeOptionsTests {
  @Test("of two things to do a server's command did one and forgot the other without a word")
  func exclusiveOptions() throws {
    let server = try LocalServer()
    let folder = server.folder.path
    let cases = [
      ["--tokens", "--revoke", "1"], ["--new-token", "read", "--revoke", "1"],
      ["--revoke", "1", "--zones"], ["--zones", "--set-limit", "1GB"],
    ]
    for options in cases {
      let outcome = try ChildProgram.run(.built("coredata"), ["serve", folder] + options)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("exclude each other"))
    }
    #expect(try SyncToolTests.tool("serve", folder, "--tokens").isEmpty)
  }

  @Test("a list of one zone's tokens was a list of all, without a word")
  func zonesOfLists() throws {
    let server = try LocalServer()
    for options in [["--tokens"], ["--zones"], ["--revoke", "1"]] {
      let words = ["serve", server.folder.path, "--zone", "Home"] + options
      let outcome = try ChildProgram.run(.built("coredata"), words)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("are for all zones; leave --zone out"))
    }
  }

  @Test("a list of tokens took a label and a port, and did nothing with them")
  func idleOptions() throws {
    let server = try LocalServer()
    let cases = [
      ["--tokens", "--label", "kitchen"], ["--zones", "--port", "80"],
      ["--revoke", "1", "--host", "::1"],
      ["--set-limit", "1GB", "--public-url", "https://notes.example.org"],
      ["--tokens", "--token-file", "token"],
    ]
    for options in cases {
      let words = ["serve", server.folder.path] + options
      let outcome = try ChildProgram.run(.built("coredata"), words)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("is for serving and for --new-token"))
    }
  }

  @Test("a token was made with an address that nobody reaches, or with a limit that nobody set")
  func vainTokens() throws {
    let server = try LocalServer()
    let cases = [
      (["--port", "99999"], "from 1 to 65535"), (["--port", "0"], "from 1 to 65535"),
      (["--host", "https://notes.example.org"], "--public-url takes an address"),
      (["--limit", "500MB"], "--set-limit gives one zone"),
    ]
    for (options, words) in cases {
      let given = ["serve", server.folder.path, "--new-token", "write"] + options
      let outcome = try ChildProgram.run(.built("coredata"), given)
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.errors.contains(words))
    }
    #expect(try SyncToolTests.tool("serve", server.folder.path, "--tokens").isEmpty)
  }

  @Test("a server took the address of a database for the name of a folder")
  func databaseAsFolder() throws {
    let words = ["serve", "postgresql://notes:secret@db.example.org/notes", "--tokens"]
    let outcome = try ChildProgram.run(.built("coredata"), words)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("behind --store") && !outcome.errors.contains("secret"))
  }

  @Test("an address with a new key that nobody could read was printed with success")
  func unreadAddress() throws {
    let address = "http://127.0.0.1:8788/Notes#" + String(repeating: "0", count: 32)
    let outcome = try ChildProgram.run(
      .built("coredata"),
      ["sync", "pair", address, "--encrypt", "--print", "address"],
      output: .file(URL(filePath: "/dev/full"))
    )
    #expect(outcome.status == 1 && outcome.errors.contains("cannot be written"))
  }
}
