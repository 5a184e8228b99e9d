import CoreDataModel
import CoreDataModelWriting
import Foundation
import Testing

@testable import CoreDataModelChanges

/// Model files that are damaged are errors, never the end of the program.
struct DamagedModelTests {
  @Test(arguments: [99, 101, 10_000, 100_000])
  func `elements nested too deeply are an error`(depth: Int) {
    let xml =
      String(repeating: "<entity>", count: depth)
      + String(repeating: "</entity>", count: depth)
    var reader = SchemaReader()
    _ = reader.schema(from: Data("<model>\(xml)</model>".utf8))
    #expect(!reader.problems.isEmpty)
    if depth > 100 {
      #expect(reader.problems.map(\.message).contains { $0.hasSuffix("nested too deeply") })
    }
  }

  @Test func `a source cut anywhere is an error`() {
    let data = SchemaWriter(.notes).data
    for length in stride(from: 0, to: data.count - 1, by: 11) {
      var reader = SchemaReader()
      _ = reader.schema(from: data.prefix(length))
      #expect(reader.problems.contains { $0.severity == .error })
    }
  }

  @Test func `a compiled model cut anywhere is an error`() throws {
    let data = try ModelArchive.encode(.notes)
    for length in stride(from: 0, to: data.count, by: 3) {
      #expect(throws: ArchiveError.self) { try ModelArchive.decode(data.prefix(length)) }
    }
  }

  @Test func `a changed byte of a compiled model is an error or another model`() throws {
    let data = try ModelArchive.encode(.everything)
    for place in stride(from: 0, to: data.count, by: 31) {
      var changed = data
      changed[place] ^= 0x5A
      do {
        let schema = try ModelArchive.decode(changed)
        _ = schema.entityVersionHashes
        _ = ModelComparison(from: .everything, to: schema).verdict
        _ = SchemaWriter(schema).data
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test func `entities that inherit in a circle in an archive are an error`() throws {
    let schema = ModelSchema.notes.changing("Item") { $0.superentityName = "Note" }
    let data: Data
    do {
      data = try ModelArchive.encode(schema)
    } catch {
      #expect(!error.description.isEmpty)
      return
    }
    #expect(throws: ArchiveError.self) { try ModelArchive.decode(data) }
  }

  @Test(arguments: ["", "not a plist", "<plist><array/></plist>", "{}"])
  func `a list of versions that names none as current refused the model`(text: String) throws {
    let model = try ScratchModel(["Notes": "<model/>"])
    try Data(text.utf8).write(to: model.url.appending(path: ".xccurrentversion"))
    let single = try ModelSource(contentsOf: model.url)
    #expect(single.currentVersionName == "Notes" && single.warnings.isEmpty)
    let models = try ScratchModel([
      "Notes": "<model/>", "Notes 10": "<model/>", "Notes 9": "<model/>",
    ])
    try Data(text.utf8).write(to: models.url.appending(path: ".xccurrentversion"))
    let several = try ModelSource(contentsOf: models.url)
    #expect(several.currentVersionName == "Notes 10")
    #expect(
      several.warnings.map(\.description) == [
        """
        Notes.xcdatamodeld/.xccurrentversion: warning: the file does not say which version is \
        current; the last one, "Notes 10", is taken; choose one in Xcode
        """
      ]
    )
  }

  @Test func `one version in the format of Xcode 3 blocked the good ones`() throws {
    let model = try ScratchModel(
      ["Notes": "<model/>", "Notes 2": "<model><entity name=\"Note\"/></model>"],
      current: "Notes 2.xcdatamodel"
    )
    let old = model.url.appending(path: "Notes.xcdatamodel")
    try FileManager.default.moveItem(
      at: old.appending(path: "contents"),
      to: old.appending(path: "elements")
    )
    let source = try ModelSource(contentsOf: model.url)
    #expect(source.versions.map(\.name) == ["Notes 2"])
    let warning = try #require(source.warnings.first)
    #expect(warning.severity == .warning)
    #expect(
      warning.description.hasPrefix(
        "Notes.xcdatamodeld/Notes.xcdatamodel/elements: warning: the archive is not a model as "
          + "Xcode 3 wrote it: "
      )
    )
    let alone = #expect(throws: ModelError.self) { try ModelSource(contentsOf: old) }
    #expect(
      alone?.description.contains("elements: error: the archive is not a model as Xcode 3") == true
    )
  }
}

/// Tests of models that Apple's compiler wrote, and of ours.
@Suite(.enabled(if: Fixtures.arePresent, "real models and stores are not beside the package"))
struct RealCompiledModelTests {
  private func plist(_ url: URL) throws -> NSDictionary {
    let plist = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
    return try #require(plist as? NSDictionary)
  }

  @Test(arguments: Fixtures.compiled)
  func `VersionInfo is written as Apple's compiler does`(name: String) throws {
    let folder = Fixtures.folder.appending(path: "models/\(name).momd")
    let scratch = try ScratchModel([:])
    let output = scratch.url.appending(path: "\(name).momd")
    try CompiledModel(contentsOf: folder).write(to: output)
    let real = try plist(folder.appending(path: "VersionInfo.plist"))
    let ours = try plist(output.appending(path: "VersionInfo.plist"))
    let keys = try #require(real.allKeys as? [String])
    #expect(keys.count >= 2)
    for key in keys { #expect(ours[key] as? NSObject == real[key] as? NSObject, "\(key)") }
    // Checksums are younger than one of the models.
    let added = Set(ours.allKeys.compactMap { $0 as? String }).subtracting(keys)
    #expect(added.isSubset(of: ["NSManagedObjectModel_VersionChecksums"]))
    #expect(try CompiledModel(contentsOf: output) == CompiledModel(contentsOf: folder))
  }

  @Test(arguments: Fixtures.compiled)
  func `optimized models beside the compiled ones are passed over`(name: String) throws {
    let folder = Fixtures.folder.appending(path: "models/\(name).momd")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains { $0.hasSuffix(".omo") })
    let compiled = names.filter { $0.hasSuffix(".mom") }.map { String($0.dropLast(4)) }
    #expect(
      try CompiledModel(contentsOf: folder).versions.map(\.name).sorted() == compiled.sorted()
    )
    let scratch = try ScratchModel([:])
    let output = scratch.url.appending(path: "\(name).momd")
    try CompiledModel(contentsOf: folder).write(to: output)
    try Data("momv2$ and nothing else".utf8).write(to: output.appending(path: "\(name).omo"))
    #expect(try CompiledModel(contentsOf: output) == CompiledModel(contentsOf: folder))
  }

  /// The keys of the objects of each class.
  private func keys(of data: Data) throws -> [String: Set<String>] {
    guard case .dictionary(let archive) = try PropertyListValue(binary: data),
      case .array(let objects)? = archive["$objects"]
    else { return [:] }
    var keys: [String: Set<String>] = [:]
    for case .dictionary(let fields) in objects {
      guard case .uid(let number)? = fields["$class"], case .dictionary(let kind) = objects[number],
        case .text(let name)? = kind["$classname"]
      else { continue }
      keys[name, default: []].formUnion(fields.keys)
    }
    return keys
  }

  @Test(arguments: Fixtures.compiled)
  func `archives have the keys of Apple's compiler`(name: String) throws {
    let folder = Fixtures.folder.appending(path: "models/\(name).momd")
    for version in try CompiledModel(contentsOf: folder).versions {
      let real = try keys(of: Data(contentsOf: folder.appending(path: "\(version.name).mom")))
      let ours = try keys(of: ModelArchive.encode(version.schema))
      for (kind, names) in real where kind.hasSuffix("Description") || kind.hasSuffix("Model") {
        let missing = names.subtracting(ours[kind] ?? [])
          .subtracting(["CDMCompilerToolVersion", "CDMCompilerXcodeVersion"])
        #expect(missing == [], "\(kind) in \(version.name)")
      }
    }
  }
}
