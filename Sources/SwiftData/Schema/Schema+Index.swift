extension Schema {
  /// An index that speeds up fetches, as `#Index` declares it.
  ///
  /// Safety: a value; key paths are immutable.
  public struct Index<Model: PersistentModel>: Hashable, @unchecked Sendable {
    /// The kind of an index, with its properties.
    ///
    /// Safety: a value; key paths are immutable.
    public enum Types<Root: PersistentModel>: Hashable, @unchecked Sendable {
      /// An index that is ordered by values.
      case binary([PartialKeyPath<Root>])
      /// An index of ranges of numbers in several dimensions, such as places on a map.
      case rtree([PartialKeyPath<Root>])
    }

    /// The indexes that the declaration lists.
    public let indices: [Types<Model>]

    /// Creates indexes that are ordered by values.
    ///
    /// - Parameter indices: The properties of each index, the most significant first.
    public init(_ indices: [PartialKeyPath<Model>]...) {
      self.indices = indices.map(Types.binary)
    }

    /// Creates indexes.
    ///
    /// - Parameter indices: The kind and the properties of each index.
    public init(_ indices: Types<Model>...) {
      self.indices = indices
    }
  }

  /// Groups of properties whose values are unique together, as `#Unique` declares them.
  ///
  /// Safety: a value; key paths are immutable.
  public struct Unique<Model: PersistentModel>: Hashable, @unchecked Sendable {
    /// The groups.
    public let constraints: [[PartialKeyPath<Model>]]

    /// Creates constraints.
    ///
    /// - Parameter constraints: The properties of each constraint.
    public init(_ constraints: [PartialKeyPath<Model>]...) {
      self.constraints = constraints
    }
  }
}

/// The kinds of indexes.
enum IndexKind: String, Codable, Sendable {
  case binary
  case rTree
}
