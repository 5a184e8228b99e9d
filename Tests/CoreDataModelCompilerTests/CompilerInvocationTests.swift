import Foundation
import Testing

@testable import CoreDataModelCompiler

struct CompilerInvocationTests {
  @Test func `a model, a folder and a module are enough`() throws {
    let invocation = try CompilerInvocation(["L.xcdatamodeld", "--output", "out", "--module", "M"])
    let compilation = try #require(invocation.compilation)
    #expect(compilation.model.lastPathComponent == "L.xcdatamodeld")
    #expect(compilation.output.lastPathComponent == "out")
    #expect(compilation.module == "M")
    #expect(!compilation.isSingleFile)
  }

  @Test func `options may come in any order`() throws {
    let words = ["--single-file", "--module", "M", "--output", "out", "L.xcdatamodeld"]
    let compilation = try #require(try CompilerInvocation(words).compilation)
    #expect(compilation.isSingleFile)
    #expect(compilation.module == "M")
  }

  @Test func `a mapping model could not be compiled`() throws {
    let words = ["--mapping", "1-2.xcmappingmodel", "--output", "out/1-2.cdm", "L.xcdatamodeld"]
    guard case .map(let compilation) = try CompilerInvocation(words) else {
      Issue.record("another task")
      return
    }
    #expect(compilation.mapping.lastPathComponent == "1-2.xcmappingmodel")
    #expect(compilation.output.lastPathComponent == "1-2.cdm")
    #expect(compilation.models.map(\.lastPathComponent) == ["L.xcdatamodeld"])
    #expect(throws: UsageError.missing("--output FILE")) {
      try CompilerInvocation(["--mapping", "1-2.xcmappingmodel"])
    }
    #expect(throws: UsageError.unexpected("--module")) {
      try CompilerInvocation(["--mapping", "m", "--output", "o", "--module", "M"])
    }
  }

  @Test func `help wins over what is missing`() throws {
    #expect(try CompilerInvocation(["--module", "M", "--help"]) == .help)
  }

  @Test(
    arguments: [
      ([], UsageError.missing("the path of a model")),
      (["L.xcdatamodeld", "--module", "M"], .missing("--output DIR")),
      (["L.xcdatamodeld", "--output", "out"], .missing("--module NAME")),
      (["L.xcdatamodeld", "--output"], .missingValue("--output")),
      (["L.xcdatamodeld", "M.xcdatamodeld"], .unexpected("M.xcdatamodeld")),
      (["--verbose"], .unexpected("--verbose")),
    ]
  )
  func `a bad command line is told what is wrong`(words: [String], error: UsageError) {
    #expect(throws: error) { try CompilerInvocation(words) }
  }
}

extension CompilerInvocation {
  fileprivate var compilation: ModelCompilation? {
    if case .compile(let compilation) = self { compilation } else { nil }
  }
}
