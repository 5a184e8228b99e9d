import Foundation
import PackagePlugin

/// Compiles the data models among a target's files.
///
/// ```
/// Library.xcdatamodeld ─▶ compile-data-model ─┬▶ Library.momd                   in Bundle.module
///                                             └▶ Library+CoreDataModel.swift    in the target
/// 1-2.xcmappingmodel   ─▶ compile-data-model ──▶ 1-2.cdm                        in Bundle.module
/// the target's Swift  ─▶ compile-data-model ──▶ Library+NSManaged.swift         in the target
/// ```
///
/// The last file has the accessors of properties that carry `@NSManaged`; the compiler on Linux leaves
/// them out.
///
/// A model needs no line in `Package.swift` besides the plugin's own.
///
/// All classes of a model stand in one Swift file. SwiftPM wants to know the files before the tool
/// runs, and which entities become classes stands in whichever version of the model is current: to
/// foretell one file for each entity, the plugin would have to read models as the tool does, and
/// where the two differ the build would fail.
@main
struct CoreDataModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let tool = try context.tool(named: "compile-data-model").url
    let folder = context.pluginWorkDirectoryURL
    let models = try models(of: target)
    return try models.map { model in
      try command(for: model, of: target, running: tool, into: folder)
    } + mappings(of: target, between: models, running: tool, into: folder) + [
      accessors(of: target, running: tool, into: folder)
    ]
  }

  private func command(
    for model: URL,
    of target: any SourceModuleTarget,
    running tool: URL,
    into folder: URL
  ) throws -> Command {
    let name = model.deletingPathExtension().lastPathComponent
    return .buildCommand(
      displayName: "Compiling data model \(model.lastPathComponent)",
      executable: tool,
      arguments: [
        model.path, "--output", folder.path, "--module", target.moduleName, "--single-file",
      ],
      inputFiles: try [model] + files(in: model),
      outputFiles: [
        folder.appending(component: "\(name)+CoreDataModel.swift"),
        folder.appending(component: "\(name).momd"),
      ]
    )
  }
}

// MARK: - Accessors

extension CoreDataModels {
  /// Writes the accessors of `@NSManaged` members, an empty file where there are none.
  ///
  /// The types of properties may be declared in other modules, so their files are read too: the name of an
  /// accessor's symbol says whether a type is a class or a struct.
  private func accessors(
    of target: any SourceModuleTarget,
    running tool: URL,
    into folder: URL
  ) throws -> Command {
    let modules = dependencies(of: target)
    let sources = swiftFiles(of: target)
    let output = folder.appending(component: "\(target.moduleName)+NSManaged.swift")
    var arguments = ["--managed", output.path, "--module", target.moduleName]
    var inputs = sources
    for module in [target] + modules {
      for model in try models(of: module) {
        arguments += ["--model", "\(module.moduleName)=\(model.path)"]
        inputs += try files(in: model)
      }
    }
    for module in modules {
      let files = swiftFiles(of: module)
      for file in files { arguments += ["--dependency", "\(module.moduleName)=\(file.path)"] }
      inputs += files
    }
    return .buildCommand(
      displayName: "Writing accessors of \(target.name)",
      executable: tool,
      arguments: arguments + sources.map(\.path),
      inputFiles: inputs,
      outputFiles: [output]
    )
  }

  private func swiftFiles(of target: any SourceModuleTarget) -> [URL] {
    target.sourceFiles(withSuffix: ".swift").map(\.url)
  }

  /// The modules whose types the target may name, without those of this package's framework.
  private func dependencies(of target: any SourceModuleTarget) -> [any SourceModuleTarget] {
    target.recursiveTargetDependencies
      .compactMap { $0 as? any SourceModuleTarget }
      .filter { $0.id != target.id && !Self.framework.contains($0.moduleName) && $0.kind != .test }
  }

  /// The modules of the framework; the tool knows which of their types a property may have.
  private static let framework: Set<String> = [
    "CoreData", "CoreDataModel", "CoreDataModelChanges", "CoreDataPostgreSQL", "CoreDataPredicates",
    "CoreDataSQL", "CoreDataSQLite", "CoreDataSync", "CoreDataSyncCore", "CoreDataSyncCrypto",
    "CoreDataSyncDevice",
  ]
}

// MARK: - Mapping models

extension CoreDataModels {
  private func mappings(
    of target: any SourceModuleTarget,
    between models: [URL],
    running tool: URL,
    into folder: URL
  ) throws -> [Command] {
    let mappings = target.sourceFiles.map(\.url).filter { $0.pathExtension == "xcmappingmodel" }
    try requireOneOfEachName(mappings, "mapping models")
    return try mappings.map { mapping in
      let name = mapping.deletingPathExtension().lastPathComponent
      let output = folder.appending(component: "\(name).cdm")
      return .buildCommand(
        displayName: "Compiling mapping model \(mapping.lastPathComponent)",
        executable: tool,
        arguments: ["--mapping", mapping.path, "--output", output.path] + models.map(\.path),
        inputFiles: try [mapping] + files(in: mapping) + models.flatMap(files),
        outputFiles: [output]
      )
    }
  }
}

// MARK: - What is there

extension CoreDataModels {
  /// The models, each of another name, as each becomes a resource of its name.
  private func models(of target: any SourceModuleTarget) throws -> [URL] {
    let models = target.sourceFiles.map(\.url).filter {
      ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension)
    }
    try requireOneOfEachName(models, "data models")
    return models
  }

  private func requireOneOfEachName(_ files: [URL], _ words: String) throws {
    var known: [String: URL] = [:]
    for file in files {
      let name = file.deletingPathExtension().lastPathComponent
      if let other = known.updateValue(file, forKey: name) {
        throw TwoModels(words: words, name: name, paths: [other.path, file.path])
      }
    }
  }

  /// Everything inside a model's folder, with `.xccurrentversion`: a change in it means a new build.
  private func files(in model: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: model.path)
      .sorted()
      .map { model.appending(path: $0) }
  }

  struct TwoModels: Error, CustomStringConvertible {
    let words: String
    let name: String
    let paths: [String]

    var description: String {
      "two \(words) are called '\(name)': \(paths.joined(separator: ", ")); rename one"
    }
  }
}
