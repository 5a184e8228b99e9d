import Foundation
import PackagePlugin

/// Compiles the data models among a target's files.
///
/// ```
/// Library.xcdatamodeld ─▶ compile-data-model ─┬▶ Library.momd                   in Bundle.module
///                                             └▶ Library+CoreDataModel.swift    in the target
/// ```
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
    return try models(of: target).map { model in
      try command(for: model, of: target, running: tool, into: context.pluginWorkDirectoryURL)
    }
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

// MARK: - What is there

extension CoreDataModels {
  /// The models, each of another name, as each becomes a resource of its name.
  private func models(of target: any SourceModuleTarget) throws -> [URL] {
    let models = target.sourceFiles.map(\.url).filter {
      ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension)
    }
    var folders: [String: URL] = [:]
    for model in models {
      let name = model.deletingPathExtension().lastPathComponent
      if let other = folders.updateValue(model, forKey: name) {
        throw TwoModels(name: name, paths: [other.path, model.path])
      }
    }
    return models
  }

  /// Everything inside a model's folder, with `.xccurrentversion`: a change in it means a new build.
  private func files(in model: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: model.path)
      .sorted()
      .map { model.appending(path: $0) }
  }

  struct TwoModels: Error, CustomStringConvertible {
    let name: String
    let paths: [String]

    var description: String {
      "two data models are called '\(name)': \(paths.joined(separator: ", ")); rename one"
    }
  }
}
