import CoreDataModel
import Foundation

/// Writes the classes of SwiftData into a folder.
struct SwiftDataGeneration {
  private let schema: ModelSchema
  private let file: ModelFile
  private let folder: URL
  private let isSingleFile: Bool
  private let isForced: Bool

  init(
    of schema: ModelSchema,
    in file: ModelFile,
    to folder: URL,
    isSingleFile: Bool,
    isForced: Bool
  ) {
    self.schema = schema
    self.file = file
    self.folder = folder
    self.isSingleFile = isSingleFile
    self.isForced = isForced
  }

  func run(printsJSON: Bool) throws {
    let source = file.url.lastPathComponent
    guard !schema.entities.isEmpty else { throw Refusal("\(source): the model has no entities") }
    let classes = try SwiftDataClasses(schema, from: source, isFromStore: file.form == .store)
    let files = classes.files(single: isSingleFile ? "\(file.name)+SwiftData.swift" : nil)
    let kept = files.filter(isKept)
    let written = files.filter { file in !kept.contains { $0.name == file.name } }
    try refusing {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for file in written { try Data(file.text.utf8).write(to: place(of: file), options: .atomic) }
    }
    for file in kept {
      CoreDataCommand.complain(
        "\(place(of: file).path) already exists and was kept; --force replaces it"
      )
    }
    for gap in classes.gaps { CoreDataCommand.complain(gap.sentence) }
    for entity in classes.changedEntities {
      CoreDataCommand.complain(
        "\(entity): the version hash of the class differs from the model's; a container migrates the store"
      )
    }
    let paths = written.map { place(of: $0).path }
    if printsJSON {
      print(
        try JSONText.of([
          "files": paths, "kept": kept.map { place(of: $0).path },
          "notExpressed": classes.gaps.map(\.sentence), "otherHashes": classes.changedEntities,
        ])
      )
    } else {
      for path in paths { print(path) }
    }
  }

  private func place(of file: (name: String, text: String)) -> URL {
    folder.appending(component: file.name)
  }

  /// A file that somebody may have changed is not written over.
  private func isKept(_ file: (name: String, text: String)) -> Bool {
    guard !isForced, let present = FileManager.default.contents(atPath: place(of: file).path) else {
      return false
    }
    return present != Data(file.text.utf8)
  }
}
