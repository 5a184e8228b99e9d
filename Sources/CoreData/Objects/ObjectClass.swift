import CoreDataModel
import Foundation
import Synchronization

/// Which Swift class stands for which entity.
enum ObjectClass {
  /// The class that an entity's objects have.
  ///
  /// The name in the model may lack its module, as Xcode writes it; then the program's own module is
  /// tried. An unknown class is `NSManagedObject`, with a line in the log, as Apple has it; a program
  /// that opens many stores is told once.
  static func find(_ className: String, entity: String) -> NSManagedObject.Type {
    if let type = known(className) { return type }
    let isNew = unknown.withLock { $0.insert("\(className) \(entity)").inserted }
    guard isNew else { return NSManagedObject.self }
    NSLog(
      "CoreData: warning: Unable to load class named '%@' for entity '%@'. %@",
      className.hasPrefix(".") ? String(className.dropFirst()) : className,
      entity,
      "Class not found, using default NSManagedObject instead."
    )
    return NSManagedObject.self
  }

  /// Which classes of which entities were not found.
  private static let unknown = Mutex<Set<String>>([])

  /// The class of a name in a model, if this program has it.
  static func known(_ className: String) -> NSManagedObject.Type? {
    let name = className.hasPrefix(".") ? String(className.dropFirst()) : className
    if name.isEmpty || name == "NSManagedObject" { return NSManagedObject.self }
    let elsewhere = name.contains(".") ? [] : modules.map { "\($0).\(name)" }
    return ([name] + elsewhere).lazy
      .compactMap { NSClassFromString($0) as? NSManagedObject.Type }.first
  }

  /// The module of the running program, as SwiftPM derives it from the program's name.
  static let modules: [String] = {
    guard let program = Bundle.main.executableURL?.deletingPathExtension().lastPathComponent
    else { return [] }
    return [String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })]
  }()

  /// The layouts of all frozen models, the newest last.
  private static let layouts = Mutex<[ModelLayout]>([])

  static func register(_ layout: ModelLayout) {
    layouts.withLock { $0.append(layout) }
  }

  /// The entity that has the class, in the model that was frozen last among those with one.
  static func layout(for type: NSManagedObject.Type) -> EntityLayout? {
    let models = layouts.withLock { $0 }
    for model in models.reversed() {
      let found = model.entities.filter { $0.objectClass == type }
      if found.count == 1 { return found[0] }
    }
    return nil
  }
}
