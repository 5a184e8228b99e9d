import CoreDataModel
import Foundation
import Synchronization

/// Finds the Swift class of each entity.
enum ObjectClass {
  /// The class that an entity's objects have.
  ///
  /// The name in the model may lack its module, as Xcode writes it; then the program's own module is
  /// tried, and after it all modules of the program. An unknown class is `NSManagedObject`, with a line in
  /// the log, as Apple has it, and so is a name that several modules have; a program that opens many
  /// stores is told once.
  static func find(_ className: String, entity: String) -> NSManagedObject.Type {
    if let type = known(className) { return type }
    let isNew = unknown.withLock { $0.insert("\(className) \(entity)").inserted }
    guard isNew else { return NSManagedObject.self }
    let candidates = candidates(className)
    if candidates.count > 1 {
      let names = candidates.map { String(reflecting: $0) }.sorted().joined(separator: ", ")
      ProgramLog.say(
        """
        warning: the class '\(ProgramClasses.plain(className))' of entity '\(entity)' may be any of \(names); using NSManagedObject. \
        Name the module too: set managedObjectClassName to NSStringFromClass of the class.
        """
      )
      return NSManagedObject.self
    }
    ProgramLog.say(
      """
      warning: Unable to load class named '\(ProgramClasses.plain(className))' for entity '\(entity)'. \
      Class not found, using default NSManagedObject instead.
      """
    )
    return NSManagedObject.self
  }

  /// Which classes of which entities were not found.
  private static let unknown = Mutex<Set<String>>([])

  /// The class of a name in a model, if this program has it.
  static func known(_ className: String) -> NSManagedObject.Type? {
    let name = ProgramClasses.plain(className)
    if name.isEmpty || name == "NSManagedObject" { return NSManagedObject.self }
    let candidates = candidates(className)
    return candidates.count == 1 ? candidates[0] : nil
  }

  private static func candidates(_ className: String) -> [NSManagedObject.Type] {
    ProgramClasses.find(className) { $0 as? NSManagedObject.Type }
  }

  /// The layouts of all frozen models, the newest last.
  private static let layouts = Mutex<[ModelLayout]>([])

  static func register(_ layout: ModelLayout) {
    layouts.withLock { $0.append(layout) }
  }

  /// The entity that has the class, in the model that was frozen last among those with one; else one without
  /// a name.
  static func entity(of type: NSManagedObject.Type) -> NSEntityDescription {
    if let layout = layout(for: type) { return layout.description }
    ProgramLog.say(
      """
      warning: \(type) stands for no entity, or for several, of the models in use, so that its entity() has no name. \
      A model is in use once a container or coordinator has it.
      """
    )
    return NSEntityDescription()
  }

  static func layout(for type: NSManagedObject.Type) -> EntityLayout? {
    let models = layouts.withLock { $0 }
    for model in models.reversed() {
      let found = model.entities.filter { $0.objectClass == type }
      if found.count == 1 { return found[0] }
    }
    return nil
  }
}
