import Foundation

// MARK: - Requests for a class

extension NSManagedObject {
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
