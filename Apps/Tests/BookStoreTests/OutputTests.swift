import ChildPrograms
import Foundation
import Testing

/// The program's output.
struct OutputTests {
  @Test func `the first run creates books, and every example finds its own`() throws {
    let program = try Program()
    let outcome = try program.run("--store", program.store.path)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        — Storing data
        New book created
        New book created
        New book created
        \(Self.examples)

        The store is \(program.store.path)

        """
    )
  }

  @Test func `the second run fetches the old books before it creates new ones`() throws {
    let program = try Program()
    _ = try program.run("--store", program.store.path)
    let outcome = try program.run("--store", program.store.path)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        — Storing data
        Book fetched: The first book
        Book fetched: The second book
        Book fetched: The third book
        New book created
        New book created
        New book created
        \(Self.examples)

        The store is \(program.store.path)

        """
    )
  }

  /// The output after the filling of the store, in every run.
  private static let examples = """

    — Retrieving managed objects
    Title: The first book, price: 10.00
    Title: The second book, price: 15.00
    Title: The third book, price: 10.00

    — Predicates: a format
    Title: The first book, price: 10.00

    — Predicates: objects
    Title: The first book, price: 10.00

    — Fetched properties
    Bargains for category: Fiction
    Title: The first book, price: 10.00
    Bargains for category: Biography
    Title: The third book, price: 10.00

    — Notification upon change
    Title: The first book, price: 10.00
    Changed value for title: The first book -> The new title

    — Relationship properties
    A required category, and none: category is a required value.
    At least 1 book, and none: Too few items in books.
    At least 1 book, but optional, and none: saved
    At most 2 books, and three: Too many items in books.

    — Delete rules
    Cascade: saved
      categories 0, books 0, without category 0
    Deny: Items cannot be deleted from books.
      categories 1, books 2, without category 0
    Nullify: saved
      categories 0, books 2, without category 2
    No Action: saved
      categories 0, books 2, without category 0
    """
}

/// The effects of the program's arguments.
struct ArgumentTests {
  @Test(arguments: ["--help", "-h"])
  func `help is printed and nothing is stored`(argument: String) throws {
    let program = try Program()
    let outcome = try program.run(argument)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("USAGE: bookstore [--store FILE]\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder.path).isEmpty)
  }

  @Test func `the help did not say that the books of a store are deleted`() throws {
    let outcome = try Program().run("--help")
    #expect(outcome.output.contains("categories that are in it already are deleted first."))
  }

  @Test func `without a place the store stands in the user's data folder`() throws {
    let program = try Program()
    let outcome = try program.run()
    let file = program.folder.appending(path: "bookstore/BookStore.sqlite").path
    #expect(outcome.output.hasSuffix("The store is \(file)\n"))
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test func `an unknown argument is named`() throws {
    let outcome = try Program().run("--stroe")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "bookstore: unknown argument --stroe; see bookstore --help\n")
  }

  @Test(arguments: [["--store"], ["--store", "--help"], ["--store", ""]])
  func `a store without a path is refused`(arguments: [String]) throws {
    let outcome = try Program().run(arguments)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "bookstore: --store needs the path of a file; see bookstore --help\n")
  }

  @Test func `a file that is no store is refused, named and left alone`() throws {
    let program = try Program()
    let text = Data(String(repeating: "This is a letter, not a database. ", count: 40).utf8)
    try text.write(to: program.store)
    let outcome = try program.run("--store", program.store.path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(program.store.path))
    #expect(try Data(contentsOf: program.store) == text)
  }
}
