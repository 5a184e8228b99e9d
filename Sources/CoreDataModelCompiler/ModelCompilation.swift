package import CoreDataModel
package import Foundation

/// One run of the compiler: a model in, its compiled form and its classes out.
///
/// ```
/// Library.xcdatamodeld ─┬▶ Library.momd
///                       └▶ Library+CoreDataModel.swift, or Note+CoreDataClass.swift …
/// ```
package struct ModelCompilation: Hashable, Sendable {
  package let model: URL
  package let output: URL
  package let module: String
  /// Whether all classes are in one file, whose name follows from the model's alone.
  package let isSingleFile: Bool

  package init(model: URL, output: URL, module: String, isSingleFile: Bool) {
    self.model = model
    self.output = output
    self.module = module
    self.isSingleFile = isSingleFile
  }

  /// Writes everything, or nothing if the model has errors.
  ///
  /// - Returns: Warnings about the model, and leftovers of earlier runs.
  package func run() throws -> [ModelProblem] {
    do {
      let source = try ModelSource(contentsOf: model)
      let classes = try swiftFiles(of: source)
      try compiled(source).write(to: output.appending(component: "\(source.name).momd"))
      try write(classes)
      return source.warnings.map(located) + leftovers(besides: classes)
    } catch let error as ModelError {
      throw ModelError(problems: error.problems.map(located))
    }
  }

  /// A problem with the whole path of its file, as editors want it for a jump to the place.
  private func located(_ problem: ModelProblem) -> ModelProblem {
    var problem = problem
    problem.file = problem.file.map {
      model.deletingLastPathComponent().appending(path: $0).path
    }
    return problem
  }
}

// MARK: - What is written

extension ModelCompilation {
  private func swiftFiles(of source: ModelSource) throws(ModelError) -> [SwiftFile] {
    let files: [SwiftFile]
    do throws(GenerationError) {
      files = try ClassGenerator(source.current, module: module).files()
    } catch {
      throw ModelError(ModelProblem(file: model.lastPathComponent, message: error.description))
    }
    guard isSingleFile else { return files }
    return [SwiftFile(joining: files, named: "\(source.name)+CoreDataModel.swift")]
  }

  private func compiled(_ source: ModelSource) -> CompiledModel {
    var source = source
    for index in source.versions.indices {
      source.versions[index].schema = source.versions[index].schema.naming(classesIn: module)
    }
    return CompiledModel(source)
  }
}

// MARK: - Writing

extension ModelCompilation {
  /// Leaves a file alone that says the same already, so that nothing is compiled again for it.
  private func write(_ files: [SwiftFile]) throws {
    for file in files {
      let location = output.appending(component: file.name)
      let data = Data(file.text(from: model.lastPathComponent).utf8)
      // No file, or none that can be read, is simply not the same.
      guard (try? Data(contentsOf: location)) != data else { continue }
      try data.write(to: location, options: .atomic)
    }
  }
}
