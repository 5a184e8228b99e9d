public import Foundation

// MARK: - Mutable arrays

extension NSManagedObject {
  /// Returns a mutable array that changes an array attribute.
  ///
  /// Each change of the array sets a new array as the value of the attribute. Use this method for
  /// attributes whose values are arrays, such as transformable ones. For relationships use
  /// ``mutableSetValue(forKey:)`` or ``mutableOrderedSetValue(forKey:)``.
  ///
  /// - Parameter key: The name of an attribute. The name of a relationship stops the program.
  /// - Returns: An array that reads and writes the attribute.
  public func mutableArrayValue(forKey key: String) -> NSMutableArray {
    if let slot = layout.slot(named: key) {
      let kind = layout.slots[slot].kind
      let name = "\(layout.name).\(key)"
      require(
        !kind.isToMany,
        """
        \(name) is a relationship; use \
        \(kind == .orderedToMany ? "mutableOrderedSetValue" : "mutableSetValue")(forKey:)
        """
      )
      require(
        kind == .transformable || kind == .object,
        "\(name) takes \(expectation(at: slot)), which is no array"
      )
    }
    return MutableAttributeArray(self, key)
  }

  /// Returns a mutable array that changes the array attribute at the end of a key path.
  ///
  /// - Parameter keyPath: A key path that ends with the name of an attribute.
  /// - Returns: An array that reads and writes the attribute. If a property on the way is `nil`,
  ///     the array is empty and ignores changes.
  public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    let (owner, key) = owner(ofLastKeyIn: keyPath)
    return owner?.mutableArrayValue(forKey: key) ?? NSMutableArray()
  }
}

/// An attribute's array, which is replaced as a whole with every change.
private final class MutableAttributeArray: NSMutableArray {
  private let owner: NSManagedObject
  private let key: String

  init(_ owner: NSManagedObject, _ key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
  }

  required init(objects: UnsafePointer<AnyObject>?, count: Int) {
    stop("an attribute's mutable array is made by mutableArrayValue(forKey:)")
  }

  required init(arrayLiteral elements: Any...) {
    stop("an attribute's mutable array is made by mutableArrayValue(forKey:)")
  }

  required init?(coder: NSCoder) {
    stop("an attribute's mutable array cannot be archived; archive the attribute's value")
  }

  private var elements: [Any] {
    get {
      switch owner.value(forKey: key) {
      case nil: []
      case let array as NSArray: array.map { $0 }
      case let array as [Any]: array
      case let value?: stop("\(owner.layout.name).\(key) is no array but \(type(of: value))")
      }
    }
    set { owner.setValue(newValue as NSArray, forKey: key) }
  }

  override var count: Int { elements.count }

  override func object(at index: Int) -> Any { elements[index] }

  override func insert(_ anObject: Any, at index: Int) { elements.insert(anObject, at: index) }

  override func add(_ anObject: Any) { elements.append(anObject) }

  override func removeObject(at index: Int) { elements.remove(at: index) }

  override func removeLastObject() { elements.removeLast() }

  override func removeAllObjects() { elements = [] }

  override func replaceObject(at index: Int, with anObject: Any) { elements[index] = anObject }
}
