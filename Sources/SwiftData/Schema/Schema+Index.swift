extension Schema {
  /// An index that speeds up fetches, as `#Index` declares it.
  public struct Index<Model: PersistentModel> {
    /// The kind of an index, with its properties.
    public enum Types<Root: PersistentModel> {
      /// An index that is ordered by values.
      case binary([PartialKeyPath<Root>])
      /// An index of ranges of numbers in several dimensions, such as places on a map.
      case rtree([PartialKeyPath<Root>])
    }

    /// The indexes that the declaration lists.
    let parts: [Types<Model>]

    /// Creates indexes that are ordered by values.
    ///
    /// - Parameter indices: The properties of each index, the most significant first.
    public init(_ indices: [PartialKeyPath<Model>]...) {
      parts = indices.map(Types.binary)
    }

    /// Creates indexes.
    ///
    /// - Parameter indices: The kind and the properties of each index.
    public init(_ indices: Types<Model>...) {
      parts = indices
    }
  }

  /// Groups of properties whose values are unique together, as `#Unique` declares them.
  public struct Unique<Model: PersistentModel> {
    /// The groups.
    let constraints: [[PartialKeyPath<Model>]]

    /// Creates constraints.
    ///
    /// - Parameter constraints: The properties of each constraint.
    public init(_ constraints: [PartialKeyPath<Model>]...) {
      self.constraints = constraints
    }
  }
}

/// The kinds of indexes.
enum IndexKind: Sendable {
  case binary
  case rTree
}
