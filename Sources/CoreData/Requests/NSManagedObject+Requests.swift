// MARK: - Requests for a class

extension NSManagedObject {
  /// The entity that this class stands for, in the model that was frozen last.
  ///
  /// Stops the program when no model in use has exactly one entity of this class.
  public class func entity() -> NSEntityDescription {
    guard let layout = ObjectClass.layout(for: self) else {
      stop(
        """
        \(self) stands for no entity, or for several, of the models in use; a model is in use once a \
        container or coordinator has it
        """
      )
    }
    return layout.description
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
