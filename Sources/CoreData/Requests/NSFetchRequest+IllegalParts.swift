extension NSFetchRequest {
  /// Stops the program for parts of a request that exclude each other.
  func refuseIllegalParts() {
    let givesDictionaries = resultType.contains(.dictionaryResultType)
    if propertiesToGroupBy?.isEmpty ?? true {
      require(
        havingPredicate == nil,
        "\(title) has a havingPredicate without propertiesToGroupBy; use predicate for single rows"
      )
    } else {
      require(
        givesDictionaries,
        "\(title) groups, which only dictionaries can; set its resultType to .dictionaryResultType"
      )
    }
    if let propertiesToFetch, !givesDictionaries {
      for case let computed as NSExpressionDescription in propertiesToFetch {
        stop(
          """
          \(title) fetches the expression \(computed.name), which objects have no place for; set its \
          resultType to .dictionaryResultType
          """
        )
      }
    }
  }

  private var title: String { "a fetch request for \(entityName ?? "(no entity)")" }

  /// The slots of the properties that objects come with; `nil` for all.
  func slotsToFetch(of layout: EntityLayout) -> SlotSet? {
    guard let propertiesToFetch, !propertiesToFetch.isEmpty else { return nil }
    return SlotSet(
      propertiesToFetch.map { property in
        let name = RecordColumn.all(for: property, of: layout).first?.name ?? ""
        guard let slot = layout.slot(named: name) else {
          stop(
            """
            \(title) fetches \(name) into objects, which have properties of their own only; \
            set its resultType to .dictionaryResultType
            """
          )
        }
        return slot
      }
    )
  }
}
