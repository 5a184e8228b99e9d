import Foundation
import Testing

/// How the tool is spoken to.
struct CommandLineTests {
  @Test func `without a command it says what there is`() throws {
    for arguments in [[], ["--help"], ["help"]] {
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 0)
      for command in ["model compile", "model hash", "explain"] {
        #expect(outcome.output.contains(command))
      }
    }
  }

  @Test(arguments: [
    ["model", "compile"], ["model", "hash"], ["model", "print"], ["model", "diff"],
    ["model", "diagram"], ["model", "extract"], ["model", "generate"], ["explain"],
  ])
  func `each command explains itself`(words: [String]) throws {
    let outcome = try Program.run(words + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("coredata \(words.joined(separator: " ")) "))
    #expect(outcome.output.contains("Exit status"))
  }

  @Test(arguments: [
    (["modle"], "there is no command 'modle'; did you mean 'model'? See coredata --help"),
    (
      ["model"],
      """
      model needs a verb: print, diff, diagram, extract, compile, generate, hash, new, add-entity, \
      add-attribute, add-relationship or add-version; see coredata --help
      """
    ),
    (["new"], "new needs a verb: app; see coredata --help"),
    (["explain"], "explain: --predicate is missing, the condition to explain"),
    (["explain", "--predicate"], "explain: --predicate needs a value"),
    (
      ["model", "hash"],
      "model hash: the path of a model is missing; see coredata model hash --help"
    ),
    (["model", "hash", "a.momd", "--yaml"], "model hash: unexpected '--yaml'"),
    (["model", "compile", "a.xcdatamodeld"], "model compile: --output DIR is missing"),
  ])
  func `a wrong command line is answered with a sentence and status 2`(
    words: [String],
    sentence: String
  ) throws {
    let outcome = try Program.run(words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("coredata: \(sentence)"), "\(outcome.errors)")
    #expect(outcome.output == "")
  }

  @Test func `the hashes of a model are printed, and are the same in JSON`() throws {
    let text = try Program.run("model", "hash", Program.model)
    let json = try Program.run("model", "hash", Program.model, "--json").json
    let entities = try #require(json["entities"] as? [String: String])
    #expect(entities.keys.sorted() == ["Bin", "Checklist", "Folder", "Note", "Tag"])
    for (name, hash) in entities {
      #expect(text.output.contains(name) && text.output.contains(hash))
    }
    #expect(text.output.hasSuffix("checksum: \(try #require(json["checksum"] as? String))\n"))
  }

  @Test func `a model that is not there is status 1`() throws {
    #expect(try Program.run("model", "hash", "nowhere.momd").status == 1)
  }
}
