/// Objects in the order in which they were noted: those that an event will announce, or deletions whose rules wait.
///
/// An object that is taken out keeps its place until the list is given up, so that taking out many takes no search.
struct NotedObjects {
  private var noted: [NSManagedObject] = []
  /// Where each object was noted last; built when the first one is taken out.
  private var places: [ObjectIdentifier: Int]?
  /// How many were noted when an object was taken out: its entries before that place do not count.
  private var takenOut: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { noted.isEmpty || objects.isEmpty }

  var objects: [NSManagedObject] {
    if takenOut.isEmpty { return noted }
    return noted.enumerated()
      .filter { place, object in place >= takenOut[ObjectIdentifier(object)] ?? 0 }
      .map(\.element)
  }

  mutating func append(_ object: NSManagedObject) {
    places?[ObjectIdentifier(object)] = noted.count
    noted.append(object)
  }

  /// Takes an object out, and gives whether it was noted.
  @discardableResult
  mutating func remove(_ object: NSManagedObject) -> Bool {
    if noted.isEmpty { return false }
    let id = ObjectIdentifier(object)
    if places == nil {
      let noted = noted.enumerated().map { (ObjectIdentifier($1), $0) }
      places = Dictionary(noted) { _, last in last }
    }
    guard places?.removeValue(forKey: id) != nil else { return false }
    takenOut[id] = noted.count
    return true
  }
}
