public import Foundation

/// Index paths that consist of a section and a row, as tables use them on Apple's systems.
///
/// ```
/// IndexPath(row: 2, section: 0)   // [0, 2]
/// ```
///
/// Accessing an element that the index path does not have stops the program.
extension IndexPath {
  /// Creates an index path that consists of a section and a row.
  ///
  /// - Parameters:
  ///   - row: The index of the object in its section.
  ///   - section: The index of the section.
  public init(row: Int, section: Int) {
    self = [section, row]
  }

  /// Creates an index path that consists of a section and an item.
  ///
  /// - Parameters:
  ///   - item: The index of the object in its section.
  ///   - section: The index of the section.
  public init(item: Int, section: Int) {
    self = [section, item]
  }

  /// The index of the section.
  ///
  /// The program stops if the index path is empty.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// The index of the object in its section.
  ///
  /// The program stops if the index path has fewer than two elements.
  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The index of the object in its section.
  ///
  /// The program stops if the index path has fewer than two elements.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
