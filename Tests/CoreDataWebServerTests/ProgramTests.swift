import Foundation
import Testing

@testable import CoreDataWebServer

struct `The command line of a program with pages` {
  @Test func `says where to listen and where the store is`() throws {
    let options = try ProgramOptions(
      [
        "--port", "0", "--host", "0.0.0.0", "--name", "a.example", "--name", "b.example",
        "--store", "Notes.sqlite",
      ],
      port: 8080
    )
    #expect(options.port == 0)
    #expect(options.host == "0.0.0.0")
    #expect(options.names == ["a.example", "b.example"])
    #expect(options.store?.lastPathComponent == "Notes.sqlite")
    #expect(!options.wantsHelp)
    #expect(options.configuration.allowedHosts == ["a.example", "b.example"])
  }

  @Test func `may say nothing, or ask for help`() throws {
    let options = try ProgramOptions([], port: 8080)
    #expect(options.port == 8080)
    #expect(options.host == "127.0.0.1")
    #expect(options.store == nil)
    #expect(try ProgramOptions(["--help"], port: 1).wantsHelp)
    #expect(ProgramOptions.usage("notes", "Notes.", port: 8081).contains("is free (8081)"))
  }

  @Test func `asks for a new key, unless the program has no key`() throws {
    #expect(try ProgramOptions(["--new-key"], port: 1).wantsNewKey)
    #expect(try !ProgramOptions([], port: 1).wantsNewKey)
    #expect(throws: Problem.self) { try ProgramOptions(["--new-key"], port: 1, hasKey: false) }
    #expect(WebProgram("notes", "Notes.", port: 1).usage.contains("--new-key "))
    #expect(!WebProgram("notes", "Notes.", port: 1, hasKey: false).usage.contains("--new-key"))
  }

  @Test func `has numbers of the program's own`() throws {
    let options = try ProgramOptions(["--fill", "20", "--port", "1"], port: 2, counts: ["--fill"])
    #expect(options.counts == ["--fill": 20])
    #expect(options.port == 1)
  }

  @Test func `did not name the program's own options in the first lines of its help`() {
    let program = WebProgram(
      "books",
      "Books.",
      port: 1,
      counts: ["--fill"],
      addresses: ["--replica"],
      help: "\n  --fill N  begin with N books"
    )
    let first = """
      USAGE: books [--port PORT] [--host ADDRESS] [--allow-host NAME] [--store FILE]
                   [--new-key] [--fill N] [--replica ADDRESS …]

      Books.

      """
    #expect(program.usage.hasPrefix(first))
    #expect(program.usage.hasSuffix("begin with N books"))
    let keyless = WebProgram("notes", "Notes.", port: 1, hasKey: false)
    #expect(keyless.usage.contains("[--store FILE]\n\nNotes."))
  }

  @Test func `has addresses of the program's own, several of a kind`() throws {
    let options = try ProgramOptions(
      ["--replica", "postgresql://one.example", "--replica", "postgresql://two.example"],
      port: 2,
      addresses: ["--replica"]
    )
    let hosts = options.addresses["--replica"]?.map(\.host)
    #expect(hosts == ["one.example", "two.example"])
    let problem = #expect(throws: Problem.self) {
      try ProgramOptions(
        ["--replica", "postgresql://ada:mackerel@one.example"],
        port: 2,
        addresses: ["--replica"]
      )
    }
    #expect(problem?.message.contains("--replica has a password") == true)
    #expect(problem?.message.contains("mackerel") == false)
  }

  @Test(arguments: ["sslpassword", "SSLPassword", "scram_client_key", "oauth_client_secret"])
  func `secrets that have other names than password were taken`(keyword: String) {
    let problem = #expect(throws: Problem.self) {
      try ProgramOptions(["--store", "postgresql://one.example/shop?\(keyword)=mackerel"], port: 1)
    }
    #expect(problem?.message.contains("another secret") == true)
    #expect(problem?.message.contains("mackerel") == false)
  }

  @Test(arguments: [
    ["--port"], ["--port", "65536"], ["--port", "-1"], ["--store"], ["x"], ["--fill", "0"],
    ["--fill"], ["--keep", "1"], ["--replica"], ["--replica", "Books.sqlite"],
  ])
  func `is refused with a sentence`(arguments: [String]) {
    let problem = #expect(throws: Problem.self) {
      try ProgramOptions(arguments, port: 1, counts: ["--fill"], addresses: ["--replica"])
    }
    #expect(problem?.message.isEmpty == false)
  }

  @Test(arguments: ["--help", ""])
  func `a store was called like the option behind it, or had no name`(value: String) {
    let problem = #expect(throws: Problem.self) {
      try ProgramOptions(["--store", value], port: 1)
    }
    #expect(problem?.message == "--store needs a value; --help says which")
  }

  @Test func `several hosts with ports were said to be no address, without what helps`() throws {
    let problem = #expect(throws: Problem.self) {
      try ProgramOptions(["--store", "postgresql://one.example:1,two.example:2/shop"], port: 1)
    }
    let remedy = "postgresql:///DATABASE?host=HOST,HOST&port=PORT,PORT"
    #expect(problem?.message.contains(remedy) == true)
    let read = try ProgramOptions(["--store", "postgresql:///shop?host=a,b&port=1,2"], port: 1)
    #expect(read.store?.query == "host=a,b&port=1,2")
  }
}

struct `Everybody who listens` {
  @Test func `hears what is sent, after what it began with`() async {
    let hub = EventHub()
    let first = hub.stream(beginningWith: [ServerSentEvent(data: "now")])
    let second = hub.stream()
    #expect(hub.count == 2)
    hub.send(ServerSentEvent(data: "later"))
    var heard: [String] = []
    for await event in first {
      heard.append(event.data)
      if heard.count == 2 { break }
    }
    #expect(heard == ["now", "later"])
    for await event in second {
      #expect(event.data == "later")
      break
    }
  }

  @Test func `is forgotten when nobody reads any more`() async {
    let (hub, ended) = (EventHub(), Lines())
    let task = Task {
      for await _ in hub.stream(onEnd: { ended.add("end") }) {}
    }
    #expect(await eventually { hub.count == 1 })
    task.cancel()
    #expect(await eventually { hub.count == 0 && ended.all == ["end"] })
  }
}
