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
        warning: the class '\(plain(className))' of entity '\(entity)' may be any of \(names); using NSManagedObject. \
        Name the module too: set managedObjectClassName to NSStringFromClass of the class.
        """
      )
      return NSManagedObject.self
    }
    ProgramLog.say(
      """
      warning: Unable to load class named '\(plain(className))' for entity '\(entity)'. \
      Class not found, using default NSManagedObject instead.
      """
    )
    return NSManagedObject.self
  }

  /// Which classes of which entities were not found.
  private static let unknown = Mutex<Set<String>>([])

  /// The class of a name in a model, if this program has it.
  static func known(_ className: String) -> NSManagedObject.Type? {
    let name = plain(className)
    if name.isEmpty || name == "NSManagedObject" { return NSManagedObject.self }
    let elsewhere = name.contains(".") ? [] : ProgramBundles.modules.map { "\($0).\(name)" }
    let own = ([name] + elsewhere).lazy
      .compactMap { NSClassFromString($0) as? NSManagedObject.Type }.first
    if let own { return own }
    let candidates = candidates(className)
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// The classes that a name may mean.
  ///
  /// Without a module, classes within other types are meant only if there are no others.
  private static func candidates(_ className: String) -> [NSManagedObject.Type] {
    let name = plain(className)
    let last = name.split(separator: ".").last.map(String.init) ?? name
    let all = ProgramClasses.all.named(last)
    if name != last { return all.filter { String(reflecting: $0) == name } }
    let outermost = all.filter { String(reflecting: $0).split(separator: ".").count == 2 }
    return outermost.isEmpty ? all : outermost
  }

  /// The name without the leading point, which a model writes for its own module.
  private static func plain(_ className: String) -> String {
    className.hasPrefix(".") ? String(className.dropFirst()) : className
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
