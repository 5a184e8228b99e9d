// MARK: - Requests for a class

extension NSManagedObject {
  /// Returns the entity that this class represents, in the model that was frozen last.
  ///
  /// The program stops unless exactly one entity of the models in use has this class.
  ///
  /// - Returns: The entity.
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

  /// Returns a fetch request for all objects of the entity that this class represents.
  ///
  /// Generated classes have a method of the same name whose result is typed.
  ///
  /// - Returns: A new request.
  @_disfavoredOverload
  public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity()
    return request
  }
}
