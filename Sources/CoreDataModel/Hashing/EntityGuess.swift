package import Foundation

/// An entity of which only the version hash is known for certain, and its possible forms.
///
///     name      color        isRead
///     String?   String?      Boolean?  Boolean  Integer 16? …      each property in several forms
///     ───────────────────────────────
///     SHA256 of one combination = the hash in the store's metadata     then nothing else is possible
///
/// A hash that is met proves names, types and optionality at once. The search is bounded: an entity
/// with more combinations than `limit` is tried with fewer forms of each property, and given up if
/// those are still too many.
package struct EntityGuess: Sendable {
  /// The name of the entity.
  package var name: String
  /// Whether the entity may be abstract; the likelier answer first.
  package var abstractness = [false]
  /// The superentity's share; `nil` for a root entity.
  package var superentity: Superentity?
  /// For each property, its possible forms; the likelier ones first.
  package var properties: [[PropertySchema]] = []
  /// Uniqueness constraints, each by the places of its properties in `properties`.
  package var constraints: [[Int]] = []
  /// How many combinations are tried.
  package var limit = 1 << 12

  package init(name: String) {
    self.name = name
  }

  /// The facts about a superentity that enter the hashes of its subentities.
  package struct Superentity: Sendable {
    package var hash: Data
    /// The hashes of all its properties, inherited ones too, by name.
    package var properties: [String: Data]

    package init(hash: Data, properties: [String: Data]) {
      self.hash = hash
      self.properties = properties
    }
  }

  /// The facts about the entity that its hash reveals.
  package struct Answer: Sendable {
    package var isAbstract: Bool
    /// The form of each property, in the order of the question.
    package var properties: [PropertySchema]
    /// The entity's share in the hashes of its subentities.
    package var superentity: Superentity
  }
}

// MARK: - Searching

extension EntityGuess {
  /// The combination with this hash; `nil` if it is not among those tried.
  package func answer(to hash: Data) -> Answer? {
    guard let forms = affordableForms else { return nil }
    let hashed = forms.map { $0.map { HashedForm($0, in: name) } }
    for names in Self.combinations(hashed.map { forms in Self.distinct(forms.map(\.name)) })
    where Set(names).count == names.count {
      let order = entries(names)
      for isAbstract in abstractness {
        var search = Search(wanted: hash, order: order, names: names, forms: hashed)
        search.tail = constraintText(names)
        if let chosen = search.run(from: head(isAbstract)) {
          return answer(isAbstract, hash, zip(hashed, chosen).map { $0[$1] })
        }
      }
    }
    return nil
  }

  private func answer(_ isAbstract: Bool, _ hash: Data, _ chosen: [HashedForm]) -> Answer {
    var properties = superentity?.properties ?? [:]
    for form in chosen { properties[form.name] = form.hash }
    return Answer(
      isAbstract: isAbstract,
      properties: chosen.map(\.property),
      superentity: Superentity(hash: hash, properties: properties)
    )
  }

  /// The beginning of the digest.
  private func head(_ isAbstract: Bool) -> SHA256 {
    var digest = SHA256()
    digest.update(name.utf8)
    digest.update([isAbstract ? 1 : 0])
    if let superentity { digest.update(superentity.hash) }
    return digest
  }

  /// Own and inherited properties in the order in which they enter the digest.
  private func entries(_ names: [String]) -> [Entry] {
    let inherited = (superentity?.properties ?? [:]).map {
      (name: $0.key, Entry.inherited($0.value))
    }
    let own = names.enumerated().map { (name: $0.element, Entry.own($0.offset)) }
    return (inherited + own).sortedByCodePoints(\.name).map(\.1)
  }

  private func constraintText(_ names: [String]) -> String {
    constraints.map { $0.map { names[$0] }.joined(separator: ".") }.sortedByCodePoints().joined()
  }

  /// Those forms of each property that leave no more combinations than the limit.
  private var affordableForms: [[PropertySchema]]? {
    for most in [Int.max, 8, 6, 4, 3, 2] {
      let forms = properties.map { Array($0.prefix(most)) }
      if Self.product(forms.map(\.count), times: abstractness.count) <= limit { return forms }
    }
    return nil
  }

  private static func product(_ counts: [Int], times first: Int) -> Int {
    counts.reduce(first) { product, count in
      let (value, isTooLarge) = product.multipliedReportingOverflow(by: count)
      return isTooLarge ? Int.max : value
    }
  }

  private static func distinct(_ names: [String]) -> [String] {
    names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func combinations(_ choices: [[String]]) -> [[String]] {
    choices.reduce([[]]) { known, names in known.flatMap { first in names.map { first + [$0] } } }
  }

  fileprivate enum Entry {
    case inherited(Data)
    /// One of the properties, by its place.
    case own(Int)
  }

  fileprivate struct HashedForm {
    let property: PropertySchema
    let name: String
    let hash: Data

    init(_ property: PropertySchema, in entityName: String) {
      self.property = property
      name = property.name
      hash =
        switch property {
        case .attribute(let attribute): attribute.versionHash
        case .relationship(let relationship): relationship.versionHash(in: entityName)
        case .fetched: Data()
        }
    }
  }
}

/// One walk through all forms of properties whose names are settled.
///
/// The digest is a value: the common part of two combinations is digested once.
private struct Search {
  let wanted: Data
  let order: [EntityGuess.Entry]
  let names: [String]
  let forms: [[EntityGuess.HashedForm]]
  var tail = ""

  /// The place of each property's form; `nil` if no combination has the hash.
  func run(from head: SHA256) -> [Int]? {
    var chosen = [Int](repeating: 0, count: names.count)
    return isMet(head, at: 0, &chosen) ? chosen : nil
  }

  private func isMet(_ digest: SHA256, at place: Int, _ chosen: inout [Int]) -> Bool {
    guard place < order.count else {
      var digest = digest
      digest.update(tail.utf8)
      return digest.finish() == wanted
    }
    switch order[place] {
    case .inherited(let hash):
      return isMet(digest.fed(hash), at: place + 1, &chosen)
    case .own(let property):
      for (index, form) in forms[property].enumerated() where form.name == names[property] {
        chosen[property] = index
        if isMet(digest.fed(form.hash), at: place + 1, &chosen) { return true }
      }
      return false
    }
  }
}

extension SHA256 {
  fileprivate func fed(_ bytes: Data) -> SHA256 {
    var digest = self
    digest.update(bytes)
    return digest
  }
}
