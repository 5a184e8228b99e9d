import CoreDataModel

/// The changes found so far.
///
/// A change of an inherited property is met again in each subentity and is in the list once, with
/// the worst of the verdicts: a change that suits the superentity may be impossible for one below
/// it.
struct ChangeList {
  private(set) var changes: [ModelChange] = []
  private var places: [Place: Int] = [:]

  private struct Place: Hashable {
    let subject: ModelChange.Subject
    let kind: ModelChange.Kind
  }

  mutating func add(
    _ kind: ModelChange.Kind,
    to subject: ModelChange.Subject,
    _ verdict: LightweightVerdict,
    hashed: Bool,
    caution: String? = nil
  ) {
    let place = Place(subject: subject, kind: kind)
    if let index = places[place] {
      changes[index].verdict = max(changes[index].verdict, verdict)
      return
    }
    places[place] = changes.count
    changes.append(
      ModelChange(
        subject: subject,
        kind: kind,
        verdict: verdict,
        entersVersionHash: hashed,
        caution: caution
      )
    )
  }

  mutating func addSetting(
    _ setting: ModelChange.Setting,
    _ subject: ModelChange.Subject,
    from old: String?,
    to new: String?
  ) {
    guard old != new else { return }
    add(.setting(setting, from: old, to: new), to: subject, .notNeeded, hashed: false)
  }

  mutating func addModifier(
    _ subject: ModelChange.Subject,
    from old: String?,
    to new: String?,
    hashed: Bool = true
  ) {
    guard old ?? "" != new ?? "" else { return }
    add(
      .modifier(from: old, to: new),
      to: subject,
      hashed ? .constantTime : .notNeeded,
      hashed: hashed
    )
  }
}

// MARK: - The model

extension ChangeList {
  /// Configurations, request templates and identifiers: nothing that a store's tables know.
  mutating func addModelChanges(in matching: ModelMatching) {
    let (old, new) = (matching.source, matching.destination)
    addSetting(
      .versionIdentifiers,
      .model,
      from: old.versionIdentifiers.listed,
      to: new.versionIdentifiers.listed
    )
    addConfigurations(from: old.configurations, to: new.configurations)
    addTemplates(from: old.fetchRequestTemplates, to: new.fetchRequestTemplates)
  }

  private mutating func addConfigurations(
    from old: [String: Set<String>],
    to new: [String: Set<String>]
  ) {
    for name in Set(old.keys).union(new.keys).sortedByCodePoints() {
      let kind: ModelChange.Kind? =
        switch (old[name], new[name]) {
        case (nil, let members?):
          .configurationAdded(name, entities: members.sortedByCodePoints())
        case (_?, nil): .configurationRemoved(name)
        case (let before?, let after?) where before != after:
          .configurationChanged(
            name,
            added: after.subtracting(before).sortedByCodePoints(),
            removed: before.subtracting(after).sortedByCodePoints()
          )
        case (_, _): nil
        }
      if let kind { add(kind, to: .model, .notNeeded, hashed: false) }
    }
  }

  private mutating func addTemplates(
    from old: [FetchRequestSchema],
    to new: [FetchRequestSchema]
  ) {
    for template in old where !new.contains(where: { $0.name == template.name }) {
      add(.templateRemoved(template.name), to: .model, .notNeeded, hashed: false)
    }
    for template in new {
      guard let before = old.first(where: { $0.name == template.name }) else {
        add(.templateAdded(template.name), to: .model, .notNeeded, hashed: false)
        continue
      }
      guard before != template else { continue }
      add(.templateChanged(template.name), to: .model, .notNeeded, hashed: false)
    }
  }
}

extension Set<String> {
  /// Xcode's identifier of a version that was given none is empty.
  fileprivate var listed: String? {
    let names = filter { !$0.isEmpty }
    return names.isEmpty ? nil : names.sortedByCodePoints().joined(separator: ", ")
  }
}
