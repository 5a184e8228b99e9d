public import Foundation

/// Index paths of two steps, section and row, as tables and collections use them on Apple's systems.
///
/// ```
/// IndexPath(row: 2, section: 0)   // [0, 2]
/// ```
///
/// Reading or setting a step that the path does not have stops the program.
extension IndexPath {
  public init(row: Int, section: Int) {
    self = [section, row]
  }

  public init(item: Int, section: Int) {
    self = [section, item]
  }

  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
