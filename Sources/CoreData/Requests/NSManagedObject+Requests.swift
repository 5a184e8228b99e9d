import Foundation

// MARK: - Requests for a class

extension NSManagedObject {
  /// The entity that this class stands for, in the model that was frozen last.
  ///
  /// Where no model in use has exactly one entity of this class, the result is an entity without a name,
  /// and the log has a line about it. A model is in use once a container or coordinator has it.
  public class func entity() -> NSEntityDescription {
    if let layout = ObjectClass.layout(for: self) { return layout.description }
    NSLog(
      "CoreData: warning: %@ stands for no entity, or for several, of the models in use, so that its "
        + "entity() has no name. A model is in use once a container or coordinator has it.",
      "\(self)"
    )
    return NSEntityDescription()
  }

  /// A request for all objects of this class's entity.
  ///
  /// Generated classes have one of their own, which says their type.
  @_disfavoredOverload
  public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity()
    return request
  }
}
